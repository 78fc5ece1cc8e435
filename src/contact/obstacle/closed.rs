//! Closed surfaces: which triangle lies across which edge, and which side is out.

use std::collections::HashMap;

use thiserror::Error;

use super::tree::BoundingBox;
use super::triangle::Triangle;
use crate::vector::{cross, dot, length, minus};

/// Why triangles are not the surface of a solid. Triangles and vertices count from 0.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SurfaceError {
    /// No triangle at all.
    #[error("the surface has no triangles; give at least the four of a tetrahedron")]
    Empty,
    /// A vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertices}, counted from 0")]
    NoVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A vertex that is infinite or not a number.
    #[error("vertex {vertex} is {}; give finite coordinates", point(place))]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Where it is.
        place: [f64; 3],
    },
    /// A triangle without area.
    #[error(
        "triangle {triangle} with corners {}, {}, {} has no area; remove it and join its two longer edges", point(&corners[0]), point(&corners[1]), point(&corners[2])
    )]
    Flat {
        /// The triangle.
        triangle: usize,
        /// Its corners.
        corners: [[f64; 3]; 3],
    },
    /// An edge with a triangle on one side only.
    #[error(
        "the surface is open: no other triangle shares the edge from {} to {} of triangle {triangle}; close the hole or merge the vertices on its sides", point(&edge[0]), point(&edge[1])
    )]
    Open {
        /// The triangle.
        triangle: usize,
        /// The edge.
        edge: [[f64; 3]; 2],
    },
    /// An edge where more than two triangles meet.
    #[error(
        "{count} triangles, {triangle} among them, share the edge from {} to {}; only two may: remove inner walls and doubled triangles", point(&edge[0]), point(&edge[1])
    )]
    Crowded {
        /// One of the triangles.
        triangle: usize,
        /// The edge.
        edge: [[f64; 3]; 2],
        /// How many share it.
        count: usize,
    },
    /// A surface that has no outside.
    #[error(
        "the surface has one side only: around triangle {triangle} no choice of the outside fits; it crosses itself like a Klein bottle, mesh it again"
    )]
    OneSided {
        /// The triangle.
        triangle: usize,
    },
    /// A part that encloses nothing.
    #[error(
        "the part of the surface with triangle {triangle} encloses no volume ({volume}); remove it or give it a thickness"
    )]
    Hollow {
        /// One of its triangles.
        triangle: usize,
        /// Its volume.
        volume: f64,
    },
}

impl SurfaceError {
    /// The triangle it speaks of.
    pub fn triangle(&self) -> Option<usize> {
        match *self {
            Self::Empty | Self::NotFinite { .. } => None,
            Self::NoVertex { triangle, .. }
            | Self::Flat { triangle, .. }
            | Self::Open { triangle, .. }
            | Self::Crowded { triangle, .. }
            | Self::OneSided { triangle }
            | Self::Hollow { triangle, .. } => Some(triangle),
        }
    }
}

fn point(x: &[f64; 3]) -> String {
    format!("({}, {}, {})", x[0], x[1], x[2])
}

/// An edge of a triangle, from corner `edge` to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TriangleEdge {
    pub triangle: u32,
    pub edge: u8,
}

/// What lies across the three edges of each triangle.
pub(super) type Neighbours = Vec<[TriangleEdge; 3]>;

/// The triangles with vertices of equal coordinates made one, no degenerate one among them.
pub(super) fn weld(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<Vec<[u32; 3]>, SurfaceError> {
    if triangles.is_empty() {
        return Err(SurfaceError::Empty);
    }
    let mut first_at = HashMap::with_capacity(vertices.len());
    let mut same = Vec::with_capacity(vertices.len());
    for (vertex, &place) in vertices.iter().enumerate() {
        if place.iter().any(|x| !x.is_finite()) {
            return Err(SurfaceError::NotFinite { vertex, place });
        }
        // −0 + 0 = 0.
        let bits = place.map(|x| (x + 0.0).to_bits());
        same.push(*first_at.entry(bits).or_insert(vertex as u32));
    }
    let mut welded = Vec::with_capacity(triangles.len());
    for (triangle, ids) in triangles.iter().enumerate() {
        if let Some(&vertex) = ids.iter().find(|&&id| id as usize >= vertices.len()) {
            return Err(SurfaceError::NoVertex { triangle, vertex, vertices: vertices.len() });
        }
        let corners = ids.map(|id| vertices[id as usize]);
        if Triangle::new(corners).is_none() {
            return Err(SurfaceError::Flat { triangle, corners });
        }
        welded.push(ids.map(|id| same[id as usize]));
    }
    Ok(welded)
}

/// Pairs the edges, two by two.
pub(super) fn neighbours(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> Result<Neighbours, SurfaceError> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (triangle, ids) in triangles.iter().enumerate() {
        for edge in 0..3 {
            let (a, b) = (ids[edge], ids[(edge + 1) % 3]);
            let side = TriangleEdge { triangle: triangle as u32, edge: edge as u8 };
            edges.push((a.min(b), a.max(b), side));
        }
    }
    edges.sort_unstable_by_key(|&(a, b, side)| (a, b, side.triangle, side.edge));
    let mut across = vec![[TriangleEdge { triangle: u32::MAX, edge: 0 }; 3]; triangles.len()];
    for shared in edges.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let (a, b, one) = shared[0];
        let (triangle, edge) =
            (one.triangle as usize, [vertices[a as usize], vertices[b as usize]]);
        match shared {
            [_] => return Err(SurfaceError::Open { triangle, edge }),
            &[_, (_, _, other)] => {
                across[triangle][one.edge as usize] = other;
                across[other.triangle as usize][other.edge as usize] = one;
            }
            _ => return Err(SurfaceError::Crowded { triangle, edge, count: shared.len() }),
        }
    }
    Ok(across)
}

/// Turns triangles over until all normals point out of the solid: first to agree across edges, then
/// each connected part by the sign of its volume. A part within an odd number of others is the wall
/// of a cavity, and its normals point into that. Parts must not cut each other.
pub(super) fn orient(
    vertices: &[[f64; 3]],
    triangles: &mut [[u32; 3]],
) -> Result<(), SurfaceError> {
    let parts = agree(vertices, triangles)?;
    let mut outward = Vec::with_capacity(parts.len());
    for part in &parts {
        let members: Vec<[[f64; 3]; 3]> =
            part.iter().map(|&t| triangles[t as usize].map(|id| vertices[id as usize])).collect();
        let bounds = BoundingBox::around(members.iter().flatten().copied());
        let (volume, area) = volume_and_area(&members, bounds.middle());
        if volume.abs() <= 1e-12 * area * length(bounds.size()) {
            return Err(SurfaceError::Hollow { triangle: part[0] as usize, volume });
        }
        outward.push((members, bounds, volume > 0.0));
    }
    for (which, part) in parts.iter().enumerate() {
        let (members, _, is_outward) = &outward[which];
        let inside_of = |(other, (walls, bounds, _)): (usize, &Part)| {
            let x = members[0][0];
            other != which && bounds.contains(x) && winding(walls, x).abs() > 0.5
        };
        let depth = outward.iter().enumerate().filter(|&part| inside_of(part)).count();
        if *is_outward != (depth % 2 == 0) {
            part.iter().for_each(|&t| triangles[t as usize].swap(1, 2));
        }
    }
    Ok(())
}

/// Corners, box, and whether the normals point out.
type Part = (Vec<[[f64; 3]; 3]>, BoundingBox, bool);

/// Turns triangles over so that normals agree across every edge, and tells the connected parts.
fn agree(vertices: &[[f64; 3]], triangles: &mut [[u32; 3]]) -> Result<Vec<Vec<u32>>, SurfaceError> {
    let across = neighbours(vertices, triangles)?;
    let mut over: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut parts = Vec::new();
    for seed in 0..triangles.len() {
        if over[seed].is_some() {
            continue;
        }
        over[seed] = Some(false);
        let mut part = vec![seed as u32];
        let mut next = 0;
        while next < part.len() {
            let at = part[next] as usize;
            next += 1;
            for edge in 0..3 {
                let TriangleEdge { triangle, edge: other } = across[at][edge];
                let there = triangle as usize;
                // Neighbours that agree run along their edge in opposite directions.
                let clash = triangles[at][edge] == triangles[there][other as usize];
                let wanted = over[at].map(|over| over != clash);
                if over[there].is_none() {
                    over[there] = wanted;
                    part.push(triangle);
                } else if over[there] != wanted {
                    return Err(SurfaceError::OneSided { triangle: there });
                }
            }
        }
        parts.push(part);
    }
    for (ids, over) in triangles.iter_mut().zip(over) {
        if over == Some(true) {
            ids.swap(1, 2);
        }
    }
    Ok(parts)
}

/// ⅙ Σ a·(b × c) and ½ Σ ‖(b−a) × (c−a)‖, seen from `origin`.
fn volume_and_area(triangles: &[[[f64; 3]; 3]], origin: [f64; 3]) -> (f64, f64) {
    let (mut volume, mut area) = (0.0, 0.0);
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| minus(corner, origin));
        volume += dot(a, cross(b, c)) / 6.0;
        area += 0.5 * length(cross(minus(b, a), minus(c, a)));
    }
    (volume, area)
}

/// How often a closed surface winds around x: the solid angles of its triangles, over 4π, with
///
/// ```text
///     tan ½Ω = a·(b × c) / (abc + (a·b)c + (b·c)a + (c·a)b)        a, b, c from x; a = ‖a‖ …
/// ```
pub(super) fn winding(triangles: &[[[f64; 3]; 3]], x: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| minus(corner, x));
        let [la, lb, lc] = [length(a), length(b), length(c)];
        let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        sum += dot(a, cross(b, c)).atan2(below);
    }
    sum / std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::super::surface::tests::{cube, icosphere};
    use super::*;
    use crate::vector::plus;

    fn volume(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
        let corners: Vec<_> = triangles.iter().map(|t| t.map(|i| vertices[i as usize])).collect();
        volume_and_area(&corners, [0.0; 3]).0
    }

    #[test]
    fn triangles_turned_over_by_chance_are_turned_back_and_made_to_face_outwards() {
        let (vertices, triangles) = cube([1.0, 2.0, 3.0]);
        for mask in [0u32, 0xfff, 0x5a3, 0x001] {
            let mut mixed = triangles.clone();
            for (t, ids) in mixed.iter_mut().enumerate() {
                if mask >> t & 1 == 1 {
                    ids.swap(0, 1);
                }
            }
            orient(&vertices, &mut mixed).unwrap();
            assert!((volume(&vertices, &mixed) - 48.0).abs() < 1e-13, "{mask:x}");
        }
    }

    #[test]
    fn a_cavity_is_subtracted_and_a_ball_in_the_cavity_added() {
        let (mut vertices, mut triangles) = cube([3.0; 3]);
        for (half, shift) in [(2.0, [0.0; 3]), (1.0, [0.5; 3]), (1.0, [9.0; 3])] {
            let (more, shell) = cube([half; 3]);
            let base = vertices.len() as u32;
            vertices.extend(more.iter().map(|&v| plus(v, shift)));
            triangles.extend(shell.iter().map(|t| t.map(|id| id + base)));
        }
        orient(&vertices, &mut triangles).unwrap();
        assert!((volume(&vertices, &triangles) - (216.0 - 64.0 + 8.0 + 8.0)).abs() < 1e-11);
    }

    #[test]
    fn a_triangle_soup_is_welded_at_equal_coordinates() {
        let (vertices, triangles) = icosphere(1);
        let soup: Vec<[f64; 3]> =
            triangles.iter().flatten().map(|&i| vertices[i as usize]).collect();
        let ids: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k)).collect();
        assert!(neighbours(&soup, &ids).is_err());
        let welded = weld(&soup, &ids).unwrap();
        assert!(neighbours(&soup, &welded).is_ok());
    }

    #[test]
    fn holes_inner_walls_and_flat_triangles_are_refused_by_place() {
        let (vertices, triangles) = cube([1.0; 3]);
        let refused = |vertices: &[[f64; 3]], triangles: &[[u32; 3]], words: &str| {
            let welded = weld(vertices, triangles);
            let result = welded.and_then(|mut welded| orient(vertices, &mut welded));
            let message = result.unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        };
        refused(
            &vertices,
            &triangles[1..],
            "the surface is open: no other triangle shares the edge from (",
        );
        let mut doubled = triangles.clone();
        doubled.push(triangles[3]);
        refused(&vertices, &doubled, "3 triangles, 3 among them, share the edge");
        let mut flat = triangles.clone();
        flat[5] = [flat[5][0], flat[5][1], flat[5][1]];
        refused(&vertices, &flat, "triangle 5 with corners (");
        refused(&vertices, &[[0, 1, 8]], "names vertex 8, but there are 8");
        refused(&[[f64::NAN; 3]], &triangles, "vertex 0 is (NaN");
        refused(&vertices, &[], "no triangles");
        let sheet = [triangles[0], [triangles[0][0], triangles[0][2], triangles[0][1]]];
        refused(&vertices, &sheet, "encloses no volume");
    }

    /// The projective plane of six vertices: every edge has two triangles, and there is no outside.
    #[test]
    fn a_surface_with_one_side_is_refused() {
        let vertices: Vec<[f64; 3]> =
            (0..6).map(f64::from).map(|i| [i.cos(), i.sin(), i * i]).collect();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for i in 0..5 {
            let at = |k: u32| 1 + (i + k) % 5;
            triangles.push([0, at(0), at(1)]);
            triangles.push([at(0), at(1), at(3)]);
        }
        let refused = orient(&vertices, &mut triangles);
        assert!(matches!(refused, Err(SurfaceError::OneSided { .. })), "{refused:?}");
    }
}
