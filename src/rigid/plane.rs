//! Outlines in the plane as convex pieces.

use thiserror::Error;

use super::BodyShape;
use crate::contact::detect::{Convex, Polygon};

/// A corner of a polygon that points inwards.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("vertex {vertex} of the polygon at ({}, {}) from its centre of mass points inwards; cut it into convex polygons", place[0], place[1])]
pub struct ReflexVertex {
    /// Its index among [`BodyShape::vertices`].
    pub vertex: usize,
    /// Where it is, seen from the centre of mass.
    pub place: [f64; 2],
}

/// The sine of the angle between two edges below which they are one.
const STRAIGHT: f64 = 1e-12;

impl BodyShape {
    /// Its convex pieces, in the plane z = 0; of a polygon without the vertices within its edges.
    pub fn pieces(&self) -> Result<Vec<Convex>, ReflexVertex> {
        Ok(vec![match self {
            Self::Disk { radius } => Convex::Ball { center: [0.0; 3], radius: *radius },
            Self::Rod { .. } => {
                let ends = self.vertices();
                Convex::Capsule { ends: [in_space(ends[0]), in_space(ends[1])], radius: 0.0 }
            }
            Self::Box { .. } | Self::Polygon { .. } => {
                let vertices = corners(&self.vertices())?;
                Convex::Polygon(Polygon { vertices: vertices.into_iter().map(in_space).collect() })
            }
        }])
    }
}

fn in_space([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// The vertices where a polygon turns, all of them to the left.
fn corners(vertices: &[[f64; 2]]) -> Result<Vec<[f64; 2]>, ReflexVertex> {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    let n = vertices.len();
    // The vertex before and the one after that are elsewhere.
    let edge = |k: usize, step: usize| {
        let apart = |j: usize| [0, 1].map(|i| vertices[(k + j * step) % n][i] - vertices[k][i]);
        (1..n).map(apart).find(|edge| *edge != [0.0; 2])
    };
    for (vertex, &place) in vertices.iter().enumerate() {
        let (Some(ahead), Some(back)) = (edge(vertex, 1), edge(vertex, n - 1)) else { continue };
        // Of vertices in one place the last one counts.
        let is_repeated = vertices[(vertex + 1) % n] == place;
        let turn = back[1] * ahead[0] - back[0] * ahead[1];
        let scale = back[0].hypot(back[1]) * ahead[0].hypot(ahead[1]);
        let is_spike =
            back[0] * ahead[0] + back[1] * ahead[1] > 0.0 && turn.abs() <= STRAIGHT * scale;
        if turn < -STRAIGHT * scale || is_spike {
            return Err(ReflexVertex { vertex, place });
        }
        if turn > STRAIGHT * scale && !is_repeated {
            corners.push(place);
        }
    }
    Ok(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(vertices: &[[f64; 2]]) -> BodyShape {
        BodyShape::Polygon { vertices: vertices.to_vec() }
    }

    #[test]
    fn disks_rods_and_boxes_are_one_piece() {
        let disk = BodyShape::Disk { radius: 2.0 }.pieces().unwrap();
        assert_eq!(disk, [Convex::Ball { center: [0.0; 3], radius: 2.0 }]);
        let rod = BodyShape::Rod { length: 2.0 }.pieces().unwrap();
        let ends = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(rod, [Convex::Capsule { ends, radius: 0.0 }]);
        let rectangle = BodyShape::Box { size: [4.0, 2.0] }.pieces().unwrap();
        let vertices = [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [-2.0, 1.0]].map(in_space).into();
        assert_eq!(rectangle, [Convex::Polygon(Polygon { vertices })]);
    }

    #[test]
    fn vertices_within_edges_and_twice_in_a_place_are_left_out() {
        let square = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let exact = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(in_space);
        let vertices = exact.into();
        assert_eq!(polygon(&square).pieces(), Ok(vec![Convex::Polygon(Polygon { vertices })]));
    }

    #[test]
    fn a_vertex_that_points_inwards_is_told() {
        let dart = [[0.0, 0.0], [2.0, -1.0], [1.0, 0.0], [2.0, 1.0]];
        let error = polygon(&dart).pieces().unwrap_err();
        assert_eq!(error, ReflexVertex { vertex: 2, place: [1.0, 0.0] });
        assert!(error.to_string().ends_with("cut it into convex polygons"));
        let spike = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(polygon(&spike).pieces().unwrap_err().vertex, 3);
    }
}
