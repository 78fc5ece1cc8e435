//! The convex hull of points of a lattice, without a rounding.
//!
//! Points are moved to the cells of a lattice of [`BITS`] bits, so that the side of a plane on which one lies
//!
//! ```text
//!     det(b − a, c − a, x − a)        |·| < 6 · 2^(3 BITS)                                  (1)
//! ```
//!
//! is known exactly in 128 bits, and with it the topology: faces that hide the new point never fall
//! apart, in whatever plane or line it lies with others.

use std::collections::{BTreeMap, HashMap};

/// Bits of a coordinate.
pub(super) const BITS: i32 = 40;

/// The least thickness of a hull, in cells: what is thinner is flat to within its roundings.
const THINNEST: f64 = 4.0;

/// A triangle of the hull, counter-clockwise from outside.
pub(super) struct LatticeFace {
    /// Its corners.
    pub corners: [u32; 3],
    /// The faces across its edges, the first from corner 0 to 1.
    pub across: [u32; 3],
    normal: [i128; 3],
    /// The points that see it and are not yet corners.
    above: Vec<u32>,
    alive: bool,
}

/// A hull that grows.
struct Growing {
    places: Vec<[i64; 3]>,
    faces: Vec<LatticeFace>,
}

/// The triangles of the hull of points in cells of this size; `None` where they lie in a plane. Of points in
/// one cell, the first one counts.
pub(super) fn triangles(points: &[[f64; 3]], cell: f64) -> Option<Vec<LatticeFace>> {
    let low = [0, 1, 2].map(|i| points.iter().fold(f64::INFINITY, |m, x| m.min(x[i])));
    let snapped = |x: &[f64; 3]| [0, 1, 2].map(|i| ((x[i] - low[i]) / cell).round() as i64);
    let mut growing = Growing { places: points.iter().map(snapped).collect(), faces: Vec::new() };
    let mut first = HashMap::with_capacity(points.len());
    let is_first = |&i: &u32| *first.entry(growing.places[i as usize]).or_insert(i) == i;
    let points: Vec<u32> = (0..points.len() as u32).filter(is_first).collect();
    growing.begin(&points)?;
    let mut open: Vec<u32> = (0..4).collect();
    while let Some(f) = open.pop() {
        let face = &growing.faces[f as usize];
        let highest = face.above.iter().max_by_key(|&&i| (growing.height(face, i), u32::MAX - i));
        if let (true, Some(&apex)) = (face.alive, highest) {
            growing.raise(f, apex, &mut open);
        }
    }
    Some(growing.finished())
}

impl Growing {
    /// (1), which is positive outside.
    fn height(&self, face: &LatticeFace, point: u32) -> i128 {
        let from_corner = self.from(face.corners[0], point);
        (0..3).map(|i| face.normal[i] * from_corner[i]).sum()
    }

    fn from(&self, a: u32, b: u32) -> [i128; 3] {
        let (a, b) = (self.places[a as usize], self.places[b as usize]);
        [0, 1, 2].map(|i| i128::from(b[i]) - i128::from(a[i]))
    }

    fn normal(&self, [a, b, c]: [u32; 3]) -> [i128; 3] {
        let (u, v) = (self.from(a, b), self.from(a, c));
        [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            u[j] * v[k] - u[k] * v[j]
        })
    }

    fn face(&self, corners: [u32; 3]) -> LatticeFace {
        let normal = self.normal(corners);
        LatticeFace { corners, across: [u32::MAX; 3], normal, above: Vec::new(), alive: true }
    }

    /// The first tetrahedron, as wide and as high as it can be had at once.
    fn begin(&mut self, points: &[u32]) -> Option<()> {
        let size = |v: [i128; 3]| v.iter().map(|&x| (x as f64) * (x as f64)).sum::<f64>().sqrt();
        let most = |of: &dyn Fn(u32) -> f64| {
            points.iter().copied().max_by(|&i, &j| of(i).total_cmp(&of(j)).then(j.cmp(&i)))
        };
        let a = *points.iter().min_by_key(|&&i| self.places[i as usize])?;
        let b = most(&|i| size(self.from(a, i)))?;
        let c = most(&|i| size(self.normal([a, b, i])))?;
        let base = self.face([a, b, c]);
        let d = most(&|i| (self.height(&base, i) as f64).abs())?;
        let height = self.height(&base, d);
        // A line has no normal: 0 ≤ 0.
        if (height as f64).abs() <= THINNEST * size(base.normal) {
            return None;
        }
        let [b, c] = if height < 0 { [b, c] } else { [c, b] };
        self.faces = vec![
            LatticeFace { across: [1, 2, 3], ..self.face([a, b, c]) },
            LatticeFace { across: [0, 3, 2], ..self.face([b, a, d]) },
            LatticeFace { across: [0, 1, 3], ..self.face([c, b, d]) },
            LatticeFace { across: [0, 2, 1], ..self.face([a, c, d]) },
        ];
        self.share(0, points);
        Some(())
    }

    /// Gives each point to the first of the faces from `first` on that it sees.
    fn share(&mut self, first: usize, points: &[u32]) {
        for &point in points {
            let sees = |&f: &usize| self.height(&self.faces[f], point) > 0;
            if let Some(f) = (first..self.faces.len()).find(sees) {
                self.faces[f].above.push(point);
            }
        }
    }

    /// Replaces all that the apex sees, face `f` among it, by its cone over the horizon.
    fn raise(&mut self, f: u32, apex: u32, open: &mut Vec<u32>) {
        let (mut hidden, mut horizon, mut points) = (vec![f], Vec::new(), Vec::new());
        self.faces[f as usize].alive = false;
        let mut next = 0;
        while next < hidden.len() {
            let at = hidden[next] as usize;
            next += 1;
            points.append(&mut self.faces[at].above);
            for edge in 0..3 {
                let there = self.faces[at].across[edge];
                if !self.faces[there as usize].alive {
                    continue;
                }
                if self.height(&self.faces[there as usize], apex) > 0 {
                    self.faces[there as usize].alive = false;
                    hidden.push(there);
                } else {
                    horizon.push((at, edge, there));
                }
            }
        }
        let first = self.faces.len();
        let mut begins = BTreeMap::new();
        for &(at, edge, there) in &horizon {
            let corners = self.faces[at].corners;
            let [a, b] = [corners[edge], corners[(edge + 1) % 3]];
            let new = self.faces.len() as u32;
            let outside = &mut self.faces[there as usize];
            for (corner, across) in outside.corners.iter().zip(&mut outside.across) {
                if *corner == b {
                    *across = new;
                }
            }
            begins.insert(a, new);
            let face = LatticeFace { across: [there, 0, 0], ..self.face([a, b, apex]) };
            self.faces.push(face);
            open.push(new);
        }
        for new in first..self.faces.len() {
            let after = begins[&self.faces[new].corners[1]];
            self.faces[new].across[1] = after;
            self.faces[after as usize].across[2] = new as u32;
        }
        self.share(first, &points);
    }

    /// The faces that are left, numbered anew.
    fn finished(self) -> Vec<LatticeFace> {
        let mut numbers = vec![u32::MAX; self.faces.len()];
        let alive = (0..self.faces.len()).filter(|&f| self.faces[f].alive);
        alive.enumerate().for_each(|(number, f)| numbers[f] = number as u32);
        let mut faces: Vec<LatticeFace> = self.faces.into_iter().filter(|f| f.alive).collect();
        for across in faces.iter_mut().flat_map(|face| &mut face.across) {
            *across = numbers[*across as usize];
        }
        faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2(V − 2) triangles, each across its edges from the one that is across from it.
    #[test]
    fn every_point_of_a_grid_on_the_boundary_of_a_cube_leaves_a_closed_surface() {
        let mut points = Vec::new();
        for k in 0..125 {
            points.push([k % 5, k / 5 % 5, k / 25].map(f64::from));
        }
        let faces = triangles(&points, 1.0 / 1024.0).unwrap();
        for (f, face) in faces.iter().enumerate() {
            for edge in 0..3 {
                let there = &faces[face.across[edge] as usize];
                let [a, b] = [face.corners[edge], face.corners[(edge + 1) % 3]];
                let back = (0..3).find(|&k| there.corners[k] == b).unwrap();
                assert_eq!(there.corners[(back + 1) % 3], a);
                assert_eq!(there.across[back], f as u32);
            }
        }
        let mut corners: Vec<u32> = faces.iter().flat_map(|face| face.corners).collect();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(faces.len(), 2 * (corners.len() - 2));
        assert!([0, 4, 20, 24, 100, 104, 120, 124].iter().all(|c| corners.contains(c)));
    }

    #[test]
    fn points_of_a_plane_a_line_or_one_cell_have_no_hull() {
        let plane: Vec<_> = (0..9).map(|k| [k % 3, k / 3, k % 3 + k / 3].map(f64::from)).collect();
        let line: Vec<_> = (0..9).map(|k| [k, 2 * k, -k].map(f64::from)).collect();
        for points in [&plane[..], &line, &[[1.0, 2.0, 3.0]; 5], &[]] {
            assert!(triangles(points, 1e-9).is_none());
        }
    }
}
