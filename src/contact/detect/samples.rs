//! Solids and placements to test detection with, here and from outside.
#![allow(dead_code)] // each of its users needs a part of it

use super::{Convex, Edge, FlatFace, Placement, Polygon, Polyhedron};

/// a − b.
pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a·b.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// From corners and faces, counter-clockwise seen from outside.
pub fn polyhedron(vertices: Vec<[f64; 3]>, outlines: &[Vec<u32>]) -> Polyhedron {
    let (mut faces, mut edges) = (Vec::new(), Vec::<Edge>::new());
    for (number, corners) in outlines.iter().enumerate() {
        let at = |i: usize| vertices[corners[i] as usize];
        let normal = cross(minus(at(1), at(0)), minus(at(2), at(0)));
        let size = dot(normal, normal).sqrt();
        let normal = normal.map(|n| n / size);
        faces.push(FlatFace { corners: corners.clone(), normal, offset: dot(normal, at(0)) });
        for (i, &start) in corners.iter().enumerate() {
            let end = corners[(i + 1) % corners.len()];
            match edges.iter_mut().find(|edge| edge.ends == [end, start]) {
                Some(edge) => edge.faces[1] = number as u32,
                None => edges.push(Edge { ends: [start, end], faces: [number as u32; 2] }),
            }
        }
    }
    assert_eq!(vertices.len() + faces.len(), edges.len() + 2, "the surface is closed (Euler)");
    Polyhedron { vertices, faces, edges }
}

/// A prism over a polygon of the plane, counter-clockwise.
pub fn prism(base: &[[f64; 2]], half: f64) -> Polyhedron {
    let n = base.len() as u32;
    let layer = |z: f64| base.iter().map(move |&[x, y]| [x, y, z]);
    let vertices = layer(-half).chain(layer(half)).collect();
    let mut outlines = vec![(0..n).rev().collect(), (n..2 * n).collect::<Vec<u32>>()];
    outlines.extend((0..n).map(|i| vec![i, (i + 1) % n, (i + 1) % n + n, i + n]));
    polyhedron(vertices, &outlines)
}

/// A box around the origin.
pub fn cuboid([a, b, c]: [f64; 3]) -> Polyhedron {
    prism(&[[-a, -b], [a, -b], [a, b], [-a, b]], c)
}

/// A regular prism around the origin, along z.
pub fn drum(sides: usize, radius: f64, half: f64) -> Polyhedron {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / sides as f64;
    let base: Vec<_> =
        (0..sides).map(|i| [radius * angle(i).cos(), radius * angle(i).sin()]).collect();
    prism(&base, half)
}

/// Around points of which none is inside and no four are in one plane.
pub fn hull(points: Vec<[f64; 3]>) -> Polyhedron {
    let n = points.len();
    let mut outlines = Vec::new();
    for i in 0..n {
        for j in 0..n {
            for k in i + 1..n {
                if j <= i || j == k {
                    continue;
                }
                let normal = cross(minus(points[j], points[i]), minus(points[k], points[i]));
                let below = |&p: &[f64; 3]| dot(normal, minus(p, points[i])) < 0.0;
                let corner = |at: usize| at == i || at == j || at == k;
                if (0..n).all(|at| corner(at) || below(&points[at])) {
                    outlines.push(vec![i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    polyhedron(points, &outlines)
}

/// A rectangle in the plane, around the origin.
pub fn rectangle([a, b]: [f64; 2]) -> Convex {
    let vertices = vec![[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]];
    Convex::Polygon(Polygon { vertices })
}

/// Not turned.
pub fn at(place: [f64; 3]) -> Placement {
    Placement { place, turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }
}

/// Turned by the unit quaternion along `q`, whose first number is the real one.
pub fn turned(place: [f64; 3], q: [f64; 4]) -> Placement {
    let size = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|q| q / size);
    let turn = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    Placement { place, turn }
}

/// `outer` after `inner`.
pub fn after(outer: &Placement, inner: &Placement) -> Placement {
    let column = |j: usize| outer.turned([0, 1, 2].map(|i| inner.turn[i][j]));
    let columns = [0, 1, 2].map(column);
    let turn = [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]));
    Placement { place: outer.to_space(inner.place), turn }
}
