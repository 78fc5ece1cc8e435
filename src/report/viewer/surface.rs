//! What of a grid is seen: triangles, edges, lines and dots.
//!
//! Cells of the plane are seen themselves; of solids, the faces that only one of them has.

use crate::mesh::ElementKind;
use crate::results::FrameData;
use crate::vector::{cross, dot, minus};

/// Faces that meet at more than this angle meet at an edge of the body.
const SHARPEST_ANGLE: f64 = std::f64::consts::FRAC_PI_6;

const VTK_POLYGON: u8 = 7;

/// What is drawn, in numbers of the points and cells that are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DrawnSurface {
    /// Points of the grid that are drawn.
    pub(super) points: Vec<u32>,
    /// Cells of the grid that are drawn.
    pub(super) cells: Vec<u32>,
    /// Points of each triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Cell of each triangle.
    pub(super) triangle_cells: Vec<u32>,
    /// Edges of elements.
    pub(super) edges: Vec<[u32; 2]>,
    /// Those where the body ends or its surface turns.
    pub(super) outline: Vec<[u32; 2]>,
    /// Bars, rods and springs.
    pub(super) lines: Vec<[u32; 2]>,
    /// Cell of each line.
    pub(super) line_cells: Vec<u32>,
    /// Masses and centres.
    pub(super) dots: Vec<u32>,
}

/// A face that is seen, with points of the grid.
struct VisibleFace {
    cell: u32,
    /// Corners, and the middles between them.
    ring: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

impl DrawnSurface {
    /// What is seen of a grid.
    ///
    /// # Errors
    /// The cell that no run writes.
    pub(super) fn of(frame: &FrameData) -> Result<Self, String> {
        let mut surface = Self::default();
        let (mut facets, mut solids) = (Vec::new(), Vec::new());
        for c in 0..frame.cell_types.len() {
            let (points, cell) = (frame.cell_points(c), c as u32);
            match kind_of(frame, c)? {
                None => facets.push(polygon(cell, points, &frame.points)),
                Some(ElementKind::Point1) => surface.dots.push(points[0]),
                Some(ElementKind::Line2) => surface.push_line(cell, [points[0], points[1]]),
                Some(ElementKind::Line3) => {
                    surface.push_line(cell, [points[0], points[2]]);
                    surface.push_line(cell, [points[2], points[1]]);
                }
                Some(kind) if kind.dimension() == 2 => facets.push(facet(cell, kind, points)),
                Some(kind) => {
                    for (f, face) in kind.faces().iter().enumerate() {
                        let nodes: Vec<u32> = face.nodes.iter().map(|&n| points[n]).collect();
                        let mut key = nodes[..face.kind.corners()].to_vec();
                        key.sort_unstable();
                        solids.push((key, cell, f, face.kind, nodes));
                    }
                }
            }
        }
        facets.extend(seen_faces(solids));
        surface.take(&facets, &frame.points);
        surface.renumber();
        Ok(surface)
    }

    fn push_line(&mut self, cell: u32, ends: [u32; 2]) {
        self.lines.push(ends);
        self.line_cells.push(cell);
    }

    fn take(&mut self, facets: &[VisibleFace], points: &[[f64; 3]]) {
        let mut sides = Vec::new();
        for (f, facet) in facets.iter().enumerate() {
            self.triangles.extend(&facet.triangles);
            self.triangle_cells.extend(facet.triangles.iter().map(|_| facet.cell));
            let next = facet.ring.iter().cycle().skip(1);
            let pairs = facet.ring.iter().zip(next);
            sides.extend(pairs.map(|(&a, &b)| ([a.min(b), a.max(b)], f)));
        }
        sides.sort_unstable();
        let normals: Vec<_> = facets.iter().map(|facet| normal(facet, points)).collect();
        for shared in sides.chunk_by(|one, other| one.0 == other.0) {
            self.edges.push(shared[0].0);
            let turns = match shared {
                [one, other] => cosine(normals[one.1], normals[other.1]) < SHARPEST_ANGLE.cos(),
                _ => true,
            };
            if turns {
                self.outline.push(shared[0].0);
            }
        }
    }

    /// From numbers of the grid to numbers of what is drawn.
    fn renumber(&mut self) {
        let mut points: Vec<u32> = self.triangles.iter().flatten().copied().collect();
        points.extend(self.lines.iter().flatten().chain(&self.dots));
        points.sort_unstable();
        points.dedup();
        let mut cells: Vec<u32> =
            self.triangle_cells.iter().chain(&self.line_cells).copied().collect();
        cells.sort_unstable();
        cells.dedup();
        // Every number is in the list made of it.
        let renumber = |list: &[u32], number: &mut u32| {
            *number = list.partition_point(|known| known < number) as u32;
        };
        let own = self.triangles.iter_mut().flatten();
        let others = [&mut self.edges, &mut self.outline, &mut self.lines];
        let others = others.into_iter().flat_map(|pairs| pairs.iter_mut().flatten());
        own.chain(others).chain(&mut self.dots).for_each(|number| renumber(&points, number));
        let numbers = self.triangle_cells.iter_mut().chain(&mut self.line_cells);
        numbers.for_each(|number| renumber(&cells, number));
        (self.points, self.cells) = (points, cells);
    }
}

/// The kind of a cell; none for a polygon.
fn kind_of(frame: &FrameData, c: usize) -> Result<Option<ElementKind>, String> {
    let (number, found) = (frame.cell_types[c], frame.cell_points(c).len());
    if number == VTK_POLYGON && found >= 3 {
        return Ok(None);
    }
    let kind = ElementKind::ALL.into_iter().find(|kind| kind.vtk_type() == number);
    match kind {
        Some(kind) if kind.nodes() == found => Ok(Some(kind)),
        _ => Err(format!(
            "cell {c} is of VTK's type {number} with {found} points, which no run writes; \
             run the case again"
        )),
    }
}

/// Name of a face by its corners, its cell, its number there, its kind and nodes.
type SolidFace = (Vec<u32>, u32, usize, ElementKind, Vec<u32>);

/// Faces that only one solid has, in the order of the solids.
fn seen_faces(mut faces: Vec<SolidFace>) -> Vec<VisibleFace> {
    faces.sort_unstable_by(|one, other| (&one.0, one.1, one.2).cmp(&(&other.0, other.1, other.2)));
    let groups = faces.chunk_by(|one, other| one.0 == other.0);
    let mut seen: Vec<&SolidFace> =
        groups.filter_map(|group| if let [face] = group { Some(face) } else { None }).collect();
    seen.sort_unstable_by_key(|face| (face.1, face.2));
    seen.into_iter().map(|(_, cell, _, kind, nodes)| facet(*cell, *kind, nodes)).collect()
}

fn facet(cell: u32, kind: ElementKind, nodes: &[u32]) -> VisibleFace {
    let corners = kind.corners();
    let second_order = nodes.len() > corners;
    let mut ring = Vec::with_capacity(nodes.len());
    for corner in 0..corners {
        ring.push(nodes[corner]);
        if second_order {
            ring.push(nodes[corners + corner]);
        }
    }
    let triangles = match *nodes {
        [a, b, c, ab, bc, ca] => vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
        _ => (2..nodes.len()).map(|n| [nodes[0], nodes[n - 1], nodes[n]]).collect(),
    };
    VisibleFace { cell, ring, triangles }
}

/// A polygon in the plane, convex or not, in triangles: an ear is cut off until three corners are left.
fn polygon(cell: u32, corners: &[u32], points: &[[f64; 3]]) -> VisibleFace {
    let at = |n: u32| points[n as usize];
    let area = |a: u32, b: u32, c: u32| {
        let [a, b, c] = [at(a), at(b), at(c)];
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let whole: f64 = (2..corners.len()).map(|n| area(corners[0], corners[n - 1], corners[n])).sum();
    let sign = whole.signum();
    let (mut left, mut triangles) = (corners.to_vec(), Vec::new());
    while left.len() > 3 {
        let count = left.len();
        let ear_at = |n: &usize| {
            let [a, b, c] = [left[(n + count - 1) % count], left[*n], left[(n + 1) % count]];
            let inside = |p: u32| {
                [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| sign * area(from, to, p) >= 0.0)
            };
            let others = left.iter().filter(|&&p| ![a, b, c].contains(&p));
            sign * area(a, b, c) > 0.0 && !others.copied().any(inside)
        };
        // A polygon without an ear crosses itself or has no area: any cut is as good.
        let ear = (0..count).find(ear_at).unwrap_or(1);
        triangles.push([left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]]);
        left.remove(ear);
    }
    triangles.push([left[0], left[1], left[2]]);
    VisibleFace { cell, ring: corners.to_vec(), triangles }
}

/// Across the first triangle with its sign as the facet has it; not of unit length.
fn normal(facet: &VisibleFace, points: &[[f64; 3]]) -> [f64; 3] {
    let [a, b, c] = facet.triangles[0].map(|n| points[n as usize]);
    cross(minus(b, a), minus(c, a))
}

fn cosine(one: [f64; 3], other: [f64; 3]) -> f64 {
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    // Faces that are turned over, or without area, have no edge of their own.
    if lengths > 0.0 { dot(one, other).abs() / lengths } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::vtu::{Grid, VtuFrame, write_vtu};

    /// A grid without fields, written and read back.
    fn grid(points: &[[f64; 3]], cells: &[(u8, &[u32])]) -> FrameData {
        let connectivity: Vec<u32> =
            cells.iter().flat_map(|(_, points)| *points).copied().collect();
        let mut offsets = vec![0];
        cells
            .iter()
            .for_each(|(_, points)| offsets.push(offsets[offsets.len() - 1] + points.len() as u32));
        let cell_types: Vec<u8> = cells.iter().map(|(number, _)| *number).collect();
        let grid = Grid {
            points,
            connectivity: &connectivity,
            offsets: &offsets,
            cell_types: &cell_types,
        };
        let thread = std::thread::current();
        let name = thread.name().unwrap_or_default().replace("::", "-");
        let path = std::env::temp_dir().join(format!("delassus-{name}-{}.vtu", std::process::id()));
        write_vtu(
            &path,
            &grid,
            &VtuFrame { time: 0.0, units: "", point_data: &[], cell_data: &[] },
        )
        .unwrap();
        let frame = FrameData::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        frame
    }

    /// The volume that the triangles enclose, by the divergence theorem; negative where they look in.
    fn volume(surface: &DrawnSurface, frame: &FrameData) -> f64 {
        let at = |n: u32| frame.points[surface.points[n as usize] as usize];
        let part = |[a, b, c]: [[f64; 3]; 3]| {
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        surface.triangles.iter().map(|triangle| part(triangle.map(at)) / 6.0).sum()
    }

    fn area(surface: &DrawnSurface, frame: &FrameData) -> f64 {
        let at = |n: u32| frame.points[surface.points[n as usize] as usize];
        let part = |[a, b, c]: [[f64; 3]; 3]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        surface.triangles.iter().map(|triangle| part(triangle.map(at)) / 2.0).sum()
    }

    const CUBE: [[f64; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];

    #[test]
    fn of_two_tetrahedra_the_shared_face_is_not_seen() {
        let frame = grid(&CUBE, &[(10, &[0, 1, 2, 5]), (10, &[0, 2, 4, 5])]);
        let surface = DrawnSurface::of(&frame).unwrap();
        assert_eq!((surface.triangles.len(), surface.edges.len()), (6, 9));
        assert_eq!(surface.points, [0, 1, 2, 4, 5]);
        assert_eq!(surface.triangle_cells, [0, 0, 0, 1, 1, 1]);
        assert!((volume(&surface, &frame) - 1.0 / 6.0 - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn a_cube_shows_twelve_triangles_and_twelve_edges() {
        let frame = grid(&CUBE, &[(12, &[0, 1, 2, 3, 4, 5, 6, 7])]);
        let surface = DrawnSurface::of(&frame).unwrap();
        assert_eq!((surface.triangles.len(), surface.edges.len()), (12, 12));
        assert_eq!(surface.outline, surface.edges);
        assert!((volume(&surface, &frame) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_tetrahedron_of_second_order_shows_its_middles() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let middle = |[a, b]: [usize; 2]| [0, 1, 2].map(|i| (corners[a][i] + corners[b][i]) / 2.0);
        let edges = ElementKind::Tetrahedron10.edges();
        let points: Vec<_> = corners.into_iter().chain(edges.iter().map(|&e| middle(e))).collect();
        let frame = grid(&points, &[(24, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])]);
        let surface = DrawnSurface::of(&frame).unwrap();
        assert_eq!((surface.triangles.len(), surface.edges.len()), (16, 12));
        assert!((volume(&surface, &frame) - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn in_the_plane_the_outline_is_where_the_body_ends() {
        let frame = grid(&CUBE[..4], &[(5, &[0, 1, 2]), (5, &[0, 2, 3])]);
        let surface = DrawnSurface::of(&frame).unwrap();
        assert_eq!((surface.triangles.len(), surface.edges.len()), (2, 5));
        assert_eq!(surface.outline, [[0, 1], [0, 3], [1, 2], [2, 3]]);
    }

    #[test]
    fn a_polygon_that_is_not_convex_keeps_its_area() {
        let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let points = corners.map(|[x, y]| [x, y, 0.0]);
        for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 4, 5, 0, 1, 2]] {
            let frame = grid(&points, &[(7, &order)]);
            let surface = DrawnSurface::of(&frame).unwrap();
            assert_eq!(surface.triangles.len(), 4);
            assert!((area(&surface, &frame).abs() - 4.0).abs() < 1e-15);
            let same = |triangle: &[u32; 3]| {
                let one = DrawnSurface { triangles: vec![*triangle], ..surface.clone() };
                area(&one, &frame) * area(&surface, &frame) > 0.0
            };
            assert!(surface.triangles.iter().all(same), "a triangle lies outside");
        }
        let crossed = grid(&points, &[(7, &[0, 2, 1, 3])]);
        assert_eq!(DrawnSurface::of(&crossed).unwrap().triangles.len(), 2);
    }

    #[test]
    fn bars_and_dots_are_drawn_and_a_cell_of_the_wrong_size_is_refused() {
        let frame = grid(&CUBE, &[(3, &[6, 7]), (1, &[3]), (21, &[0, 1, 2])]);
        let surface = DrawnSurface::of(&frame).unwrap();
        assert_eq!(surface.points, [0, 1, 2, 3, 6, 7]);
        assert_eq!(surface.lines, [[4, 5], [0, 2], [2, 1]]);
        assert_eq!((surface.line_cells, surface.dots), (vec![0, 1, 1], vec![3]));
        let wrong = DrawnSurface::of(&grid(&CUBE, &[(10, &[0, 1, 2])])).unwrap_err();
        assert!(wrong.starts_with("cell 0 is of VTK's type 10 with 3 points"), "{wrong}");
    }
}
