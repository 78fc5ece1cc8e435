//! What a solid looks like: points and polygons.

use std::f64::consts::PI;

use super::Solid;
use crate::contact::detect::Convex;
use crate::vector::{combine, cross, minus, plus, unit};

/// Quadrangles around a ball.
const AROUND: u32 = 12;

/// Quadrangles from pole to pole.
const BANDS: u32 = 8;

impl Solid {
    /// Points in its own coordinates, and polygons by their indices, counter-clockwise from outside: of polyhedra
    /// their faces, of balls and capsules quadrangles with corners on them.
    pub fn drawing(&self) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
        let (mut points, mut polygons) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            let base = points.len() as u32;
            let (more, faces) = drawn(piece);
            points.extend(more);
            polygons.extend(faces.into_iter().map(|mut corners: Vec<u32>| {
                corners.iter_mut().for_each(|corner| *corner += base);
                corners
            }));
        }
        (points, polygons)
    }
}

fn drawn(piece: &Convex) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    match piece {
        Convex::Ball { center, radius } => globe([*center; 2], *radius),
        Convex::Capsule { ends, radius } => globe(*ends, *radius),
        Convex::Polyhedron(polyhedron) => {
            let faces = polyhedron.faces.iter().map(|face| face.corners.clone());
            (polyhedron.vertices.clone(), faces.collect())
        }
        Convex::Polygon(polygon) => {
            let corners = (0..polygon.vertices.len() as u32).collect();
            (polygon.vertices.clone(), vec![corners])
        }
    }
}

/// Half a globe about each end, and what is between their equators.
fn globe([south, north]: [[f64; 3]; 2], radius: f64) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let pole = unit(minus(north, south));
    let axes = pole.map_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], across);
    // Latitudes in bands from the equator, the equator twice where the ends are apart.
    let half = BANDS as i32 / 2;
    let mut rings: Vec<([f64; 3], i32)> = (1 - half..=0).map(|band| (south, band)).collect();
    rings.extend((i32::from(pole.is_none())..half).map(|band| (north, band)));
    let mut points = vec![plus(south, combine([0.0, 0.0, -radius], axes))];
    for &(center, band) in &rings {
        let (height, width) = (PI * f64::from(band) / f64::from(BANDS)).sin_cos();
        for k in 0..AROUND {
            let (sine, cosine) = (2.0 * PI * f64::from(k) / f64::from(AROUND)).sin_cos();
            let along = [radius * width * cosine, radius * width * sine, radius * height];
            points.push(plus(center, combine(along, axes)));
        }
    }
    points.push(plus(north, combine([0.0, 0.0, radius], axes)));
    let (last, rows) = (points.len() as u32 - 1, rings.len() as u32);
    let at = |row: u32, k: u32| 1 + row * AROUND + k % AROUND;
    let mut polygons = Vec::new();
    for k in 0..AROUND {
        polygons.push(vec![0, at(0, k + 1), at(0, k)]);
        for row in 1..rows {
            polygons.push(vec![at(row - 1, k), at(row - 1, k + 1), at(row, k + 1), at(row, k)]);
        }
        polygons.push(vec![at(rows - 1, k), at(rows - 1, k + 1), last]);
    }
    (points, polygons)
}

/// Right-handed axes, the last of them the pole.
fn across(pole: [f64; 3]) -> [[f64; 3]; 3] {
    // The axis of space that is farthest from it, but x before y, so that the pole z leaves them in place.
    let aside = if pole[0].abs() < 0.8 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let y = unit(cross(pole, aside)).unwrap_or([0.0, 1.0, 0.0]);
    [cross(y, pole), y, pole]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{dot, length};

    /// Volume by the divergence theorem, and whether every edge has a polygon on each side.
    fn volume(solid: &Solid) -> f64 {
        let (points, polygons) = solid.drawing();
        let mut edges = std::collections::BTreeMap::new();
        let mut volume = 0.0;
        for corners in &polygons {
            let at = |k: usize| points[corners[k] as usize];
            for k in 0..corners.len() {
                let next = corners[(k + 1) % corners.len()];
                *edges.entry((corners[k].min(next), corners[k].max(next))).or_insert(0) +=
                    if corners[k] < next { 1 } else { -1 };
            }
            for k in 2..corners.len() {
                volume += dot(at(0), cross(at(k - 1), at(k))) / 6.0;
            }
        }
        assert!(edges.values().all(|&sides| sides == 0));
        volume
    }

    /// Twelve and eight sides of a circle are inside of it, by 4.5 % and 2.6 %.
    #[test]
    fn drawings_are_closed_and_look_outwards() {
        let cuboid = Solid::cuboid([1.0, 2.0, 3.0]).unwrap();
        assert!((volume(&cuboid) - 6.0).abs() < 1e-14);
        let leaning = Convex::Capsule { ends: [[0.0; 3], [3.0, 1.0, -1.0]], radius: 0.5 };
        for solid in [
            Solid::ball(1.5).unwrap(),
            Solid::capsule(1.0, 2.0).unwrap(),
            Solid::of_pieces(vec![leaning]).unwrap(),
        ] {
            let drawn = volume(&solid);
            assert!(drawn < solid.volume && drawn > 0.9 * solid.volume, "{drawn} {}", solid.volume);
        }
        let (points, polygons) = Solid::ball(1.5).unwrap().drawing();
        assert_eq!(polygons.len(), 96);
        assert!(points.iter().all(|&x| (length(x) - 1.5).abs() < 1e-15));
    }

    #[test]
    fn pieces_are_drawn_one_after_the_other() {
        let ball = |x: f64| Convex::Ball { center: [x, 0.0, 0.0], radius: 0.5 };
        let solid = Solid::of_pieces(vec![ball(-1.0), ball(1.0)]).unwrap();
        assert_eq!(solid.drawing().1.len(), 192);
        assert!((volume(&solid) / solid.volume - 0.95).abs() < 0.05);
    }
}
