//! A rigid closed surface of triangles.

use super::closed::{SurfaceError, neighbours, orient, weld};
use super::normals::{SurfaceFacet, at_vertices, facets};
use super::shape::Nearest;
use super::tree::{BoundingBox, BoxTree};
use super::triangle::{Feature, Foot, Triangle};
use crate::vector::{combine, dot, length, minus, plus, polar, times, unit};

/// The surface of a solid, or with `inside` of a hollow.
///
/// The gap is the signed distance to the triangles. The contact normal is interpolated between
/// normals at the corners, so that a body slides over a triangulated sphere as over a sphere, but
/// not across creases. Where the nearest point lies on a crease, the normal turns from the one side
/// to the other with the direction of the point, as around the edge of a cuboid.
#[derive(Clone, Debug)]
pub struct Surface {
    /// In the order of the tree, as are the facets.
    triangles: Vec<Triangle>,
    facets: Vec<SurfaceFacet>,
    tree: BoxTree,
    vertex_normals: Vec<[f64; 3]>,
    /// Closer than this the direction of a point is rounding.
    noise: f64,
    inside: bool,
}

impl Surface {
    /// Edges whose facets differ by less than this are smooth, unless said otherwise: 30°.
    pub const CREASE_ANGLE: f64 = std::f64::consts::FRAC_PI_6;

    /// The surface with these vertices and triangles, in any orientation; vertices of equal
    /// coordinates are one vertex. `crease_angle` in radians.
    pub fn new(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        crease_angle: f64,
        inside: bool,
    ) -> Result<Self, SurfaceError> {
        let mut ids = weld(vertices, triangles)?;
        orient(vertices, &mut ids)?;
        let corners = |ids: &[u32; 3]| ids.map(|id| vertices[id as usize]);
        let boxes: Vec<BoundingBox> =
            ids.iter().map(|ids| BoundingBox::around(corners(ids))).collect();
        let (tree, order) = BoxTree::new(&boxes);
        let ids: Vec<[u32; 3]> = order.iter().map(|&t| ids[t as usize]).collect();
        let across = neighbours(vertices, &ids)?;
        // None is degenerate, or `weld` would have said so.
        let geometry: Vec<Triangle> =
            ids.iter().filter_map(|ids| Triangle::new(corners(ids))).collect();
        assert_eq!(geometry.len(), ids.len(), "a degenerate triangle came through the weld");
        Ok(Self {
            facets: facets(&ids, &geometry, &across, crease_angle),
            vertex_normals: at_vertices(vertices.len(), &ids, &geometry),
            noise: 1e-12 * length(tree.bounds().size()),
            triangles: geometry,
            tree,
            inside,
        })
    }

    /// Corners of each of them.
    pub fn corners(&self) -> impl Iterator<Item = [[f64; 3]; 3]> {
        self.triangles.iter().map(|triangle| triangle.corners)
    }

    /// Whether the body is inside of it.
    pub fn is_hollow(&self) -> bool {
        self.inside
    }

    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        let t = self.tree.nearest(x, |t| self.triangles[t].square_distance(x));
        self.seen_from(t, x).seen_from(self.inside)
    }

    /// Gap and normal, given the nearest triangle.
    fn seen_from(&self, t: usize, x: [f64; 3]) -> Nearest {
        let (triangle, facet) = (&self.triangles[t], &self.facets[t]);
        let foot = triangle.foot(x);
        let smooth = || interpolate(foot.weights, facet, triangle);
        let side = |outward: [f64; 3]| self.side(x, foot.point, outward);
        let (gap, normal) = match foot.feature {
            Feature::Face => (triangle.height(x), smooth()),
            Feature::Edge(edge) => {
                let other = &self.triangles[facet.across[edge].triangle as usize];
                let (gap, direction) = side(plus(triangle.normal, other.normal));
                let creased = facet.edge_creased[edge];
                (
                    gap,
                    if creased { self.across_crease(t, edge, &foot, direction) } else { smooth() },
                )
            }
            Feature::Corner(corner) => {
                let outward = self.vertex_normals[facet.vertices[corner] as usize];
                let (gap, direction) = side(outward);
                let around = || direction.or_else(|| unit(outward)).unwrap_or(triangle.normal);
                (gap, if facet.corner_creased[corner] { around() } else { smooth() })
            }
        };
        Nearest { gap, normal, along: None }
    }

    /// Signed distance from the foot, with the sign that the pseudonormal there gives, and the
    /// direction in which it grows, if x is far enough for one.
    fn side(&self, x: [f64; 3], foot: [f64; 3], outward: [f64; 3]) -> (f64, Option<[f64; 3]>) {
        let apart = minus(x, foot);
        let sign = if dot(apart, outward) < 0.0 { -1.0 } else { 1.0 };
        let (distance, direction) = polar(apart).unwrap_or((0.0, outward));
        let is_known = distance > self.noise;
        (sign * distance, is_known.then(|| times(sign, direction)))
    }

    /// Normal at a crease between facets a and b. The direction of x lies between their normals,
    ///
    /// ```text
    ///     direction = α n_a + β n_b        α, β ≥ 0
    /// ```
    ///
    /// and the contact normal is the same mixture of the contact normals of both sides; half of
    /// each on the crease itself.
    fn across_crease(
        &self,
        t: usize,
        edge: usize,
        foot: &Foot,
        direction: Option<[f64; 3]>,
    ) -> [f64; 3] {
        let across = self.facets[t].across[edge];
        let (there, edge_there) = (across.triangle as usize, across.edge as usize);
        let (here, other) = (&self.triangles[t], &self.triangles[there]);
        // The neighbour runs along the edge backwards.
        let mut weights = [0.0; 3];
        weights[edge_there] = foot.weights[(edge + 1) % 3];
        weights[(edge_there + 1) % 3] = foot.weights[edge];
        let normals = [
            interpolate(foot.weights, &self.facets[t], here),
            interpolate(weights, &self.facets[there], other),
        ];
        let cosine = dot(here.normal, other.normal);
        let determinant = 1.0 - cosine * cosine;
        let [a, b] = match direction {
            None => [1.0, 1.0],
            // A blade: two sides that face away from each other span no plane.
            Some(direction) if determinant < 1e-6 => return direction,
            Some(direction) => {
                let (a, b) = (dot(direction, here.normal), dot(direction, other.normal));
                [(a - cosine * b) / determinant, (b - cosine * a) / determinant]
            }
        };
        let mixed = plus(times(a.max(0.0), normals[0]), times(b.max(0.0), normals[1]));
        unit(mixed).unwrap_or(here.normal)
    }
}

/// The contact normal between the corners of a facet.
fn interpolate(weights: [f64; 3], facet: &SurfaceFacet, triangle: &Triangle) -> [f64; 3] {
    unit(combine(weights, facet.corner_normals)).unwrap_or(triangle.normal)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::closed::winding;
    use super::super::probe::{Random, assert_frame, frame_change};
    use super::super::{Cuboid, Frame};
    use super::*;
    use std::cell::Cell;
    use std::collections::HashMap;

    type Soup = (Vec<[f64; 3]>, Vec<[u32; 3]>);

    /// A cuboid around the origin, two triangles to a face.
    pub(in super::super) fn cube(half: [f64; 3]) -> Soup {
        let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let vertices = (0..8u32).map(|v| [0, 1, 2].map(|i| sign(v >> i & 1) * half[i])).collect();
        let mut triangles = Vec::new();
        for axis in 0..3 {
            let (u, w) = (1u32 << ((axis + 1) % 3), 1u32 << ((axis + 2) % 3));
            let far = 1u32 << axis;
            triangles.extend([[far, far + u, far + u + w], [far, far + u + w, far + w]]);
            triangles.extend([[0, u + w, u], [0, w, u + w]]);
        }
        (vertices, triangles)
    }

    /// The unit sphere: an icosahedron, each triangle in four, `level` times.
    pub(in super::super) fn icosphere(level: usize) -> Soup {
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        let mut vertices = Vec::new();
        for axis in 0..3 {
            for (s, g) in [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)] {
                let mut vertex = [0.0; 3];
                (vertex[axis], vertex[(axis + 1) % 3]) = (s, g);
                vertices.push(unit(vertex).unwrap());
            }
        }
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        let near = |i: usize, j: usize| length(minus(vertices[i], vertices[j])) < 1.1;
        for (i, j, k) in
            (0..12).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))))
        {
            if near(i, j) && near(j, k) && near(i, k) {
                triangles.push([i as u32, j as u32, k as u32]);
            }
        }
        for _ in 0..level {
            let mut middles = HashMap::new();
            let mut finer = Vec::new();
            for &t in &triangles {
                let middle = [0, 1, 2].map(|e| {
                    let (i, j) = (t[e], t[(e + 1) % 3]);
                    *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                        let sum = plus(vertices[i as usize], vertices[j as usize]);
                        vertices.push(unit(sum).unwrap());
                        vertices.len() as u32 - 1
                    })
                });
                let corner = |e: usize| [t[e], middle[e], middle[(e + 2) % 3]];
                finer.extend([corner(0), corner(1), corner(2), middle]);
            }
            triangles = finer;
        }
        (vertices, triangles)
    }

    pub(in super::super) fn longest_edge(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
        let edge = |t: &[u32; 3], k: usize| {
            length(minus(vertices[t[k] as usize], vertices[t[(k + 1) % 3] as usize]))
        };
        triangles.iter().flat_map(|t| [0, 1, 2].map(|k| edge(t, k))).fold(0.0, f64::max)
    }

    fn surface((vertices, triangles): Soup) -> Surface {
        Surface::new(&vertices, &triangles, Surface::CREASE_ANGLE, false).unwrap()
    }

    #[test]
    fn brute_force_and_the_tree_find_the_same_distance() {
        let mut random = Random::new(14);
        for soup in [cube([0.3, 0.5, 0.7]), icosphere(3)] {
            let surface = surface(soup);
            for _ in 0..1000 {
                let x = times(1.5, random.point());
                let squares = surface.triangles.iter().map(|t| t.square_distance(x));
                let least = squares.fold(f64::INFINITY, f64::min).sqrt();
                assert!((surface.nearest(x).gap.abs() - least).abs() < 1e-14);
            }
        }
    }

    /// Both are exact: only rounding of coordinates of size 1 differs, also in the normals outside.
    #[test]
    fn a_cube_of_triangles_is_the_cuboid() {
        let half = [0.3, 0.5, 0.7];
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut random = Random::new(15);
        for inside in [false, true] {
            let exact = Cuboid { center: [0.0; 3], half, axes, inside };
            let (vertices, triangles) = cube(half);
            let made = Surface::new(&vertices, &triangles, Surface::CREASE_ANGLE, inside).unwrap();
            for _ in 0..5000 {
                let x = random.point();
                let (a, b) = (exact.nearest(x), made.nearest(x));
                assert!((a.gap - b.gap).abs() < 1e-15, "{x:?}: {} {}", a.gap, b.gap);
                assert!(length(minus(a.normal, b.normal)) < 1e-13, "{x:?}: {a:?} {b:?}");
            }
        }
    }

    /// The gap over a band around the sphere falls by 4 when the edges are halved. The normal on the
    /// sphere is off by what the corner normals are, 0.04 of the longest edge (see `normals`), where
    /// that of the facet alone is off by half of it.
    #[test]
    fn an_icosphere_comes_near_the_sphere_with_the_square_of_its_edges() {
        let gaps = [2, 3, 4].map(|level| {
            let (vertices, triangles) = icosphere(level);
            let longest = longest_edge(&vertices, &triangles);
            let surface = surface((vertices, triangles));
            let mut random = Random::new(16);
            let mut gap = 0f64;
            for _ in 0..20000 {
                let out = random.direction();
                let distance = 1.0 + 0.2 * random.number();
                let off = surface.nearest(times(distance, out)).gap - (distance - 1.0);
                gap = gap.max(off.abs());
                let off = length(minus(surface.nearest(out).normal, out));
                assert!(off < 0.04 * longest, "level {level}: {off} of {longest}");
            }
            gap
        });
        let rate = (gaps[1] / gaps[2]).log2();
        assert!((rate - 2.0).abs() < 0.1 && gaps[2] < 1.2e-3, "rate {rate} of {gaps:?}");
    }

    /// A star with spikes and pits of random depth, where edges and vertices of every kind are
    /// nearest; the winding number tells the side without them.
    #[test]
    fn the_sign_of_the_gap_is_that_of_the_side_also_at_spikes_and_pits() {
        let (mut vertices, mut triangles) = icosphere(2);
        let mut random = Random::new(20);
        vertices.iter_mut().for_each(|v| *v = times(0.7 + 0.3 * random.number(), *v));
        orient(&vertices, &mut triangles).unwrap();
        let corners: Vec<_> = triangles.iter().map(|t| t.map(|i| vertices[i as usize])).collect();
        let surface = surface((vertices, triangles));
        let mut within = 0;
        for _ in 0..5000 {
            let x = random.point();
            let is_inside = winding(&corners, x).abs() > 0.5;
            assert_eq!(surface.nearest(x).gap < 0.0, is_inside, "{x:?}");
            within += usize::from(is_inside);
        }
        assert!(within > 500, "only {within} points inside");
    }

    /// The normal of a sphere of radius 1 turns by the move; its interpolant not twice as fast.
    #[test]
    fn frames_turn_smoothly_over_a_triangulated_sphere() {
        let surface = surface(icosphere(3));
        let mut random = Random::new(17);
        for _ in 0..5000 {
            let x = times(1.0 + 0.1 * random.number(), random.direction());
            let moved = plus(x, times(1e-5, random.direction()));
            let (a, b) = (surface.nearest(x).normal, surface.nearest(moved).normal);
            assert!(length(minus(a, b)) < 2e-5, "{x:?}: {}", length(minus(a, b)));
            let change = frame_change(&Frame::in_space(a), &Frame::in_space(b));
            assert!(a[2] < -0.9 || change < 8.0 * 2e-5);
        }
    }

    /// Concave edge: the nearest point of a penetrating one is the edge, and the normal turns there.
    #[test]
    fn normals_turn_around_creases_without_a_jump_both_outside_and_inside() {
        for inside in [false, true] {
            let (vertices, triangles) = cube([0.5; 3]);
            let made = Surface::new(&vertices, &triangles, Surface::CREASE_ANGLE, inside).unwrap();
            let mut random = Random::new(18);
            for _ in 0..3000 {
                let x = random.point();
                let at = made.nearest(x);
                let beyond = if inside { -at.gap } else { at.gap };
                if beyond > 0.05 {
                    let moved = made.nearest(plus(x, times(1e-5, random.direction())));
                    // The direction of a point 0.05 away turns by 1e-5/0.05.
                    assert!(length(minus(moved.normal, at.normal)) < 2.5e-4);
                }
            }
        }
    }

    #[test]
    fn points_of_the_surface_its_edges_and_its_vertices_have_finite_frames_and_no_gap() {
        for soup in [cube([0.3, 0.5, 0.7]), icosphere(2)] {
            let (vertices, triangles) = soup.clone();
            let surface = surface(soup);
            for ids in &triangles {
                let corners = ids.map(|id| vertices[id as usize]);
                for weights in [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]] {
                    let at = surface.nearest(combine(weights, corners));
                    assert!(at.gap.abs() < 1e-15);
                    assert_frame(&Frame::in_space(at.normal));
                }
            }
            assert_frame(&Frame::in_space(surface.nearest([0.0; 3]).normal));
            assert!(surface.nearest([f64::NAN; 3]).gap.is_nan());
        }
    }

    /// On 20480 triangles; counted, not timed, so that it fails on the tree and not on the machine.
    #[test]
    fn few_triangles_are_looked_at_to_find_the_nearest() {
        let surface = surface(icosphere(5));
        assert_eq!(surface.triangles.len(), 20480);
        let mut random = Random::new(19);
        let looks = Cell::new(0);
        for _ in 0..1000 {
            let x = times(1.0 + 0.1 * random.number(), random.direction());
            surface.tree.nearest(x, |t| {
                looks.set(looks.get() + 1);
                surface.triangles[t].square_distance(x)
            });
        }
        assert!(looks.get() < 40 * 1000, "{} triangles in the mean", looks.get() / 1000);
    }
}
