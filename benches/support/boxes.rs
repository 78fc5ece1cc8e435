//! M + cK of boxes of linear triangles and tetrahedra at any size, without a mesh file.

use std::sync::Arc;

use delassus::linalg::{BlockOperator, NodeGraph, UpperColumns, contact_last};

/// A box in D dimensions cut into simplices, its nodes moved a little off the grid.
pub struct Simplices {
    pub name: String,
    pub dimension: usize,
    points: Vec<[f64; 3]>,
    elements: Vec<Vec<u32>>,
    /// Nodes of the bottom face.
    pub bottom: Vec<bool>,
}

impl Simplices {
    /// `cells` cells of size 1 per direction; triangles if the third is 0.
    pub fn new(cells: [usize; 3]) -> Self {
        let dimension = if cells[2] == 0 { 2 } else { 3 };
        let side = cells.map(|n| n + 1);
        let id = |p: [usize; 3]| ((p[2] * side[1] + p[1]) * side[0] + p[0]) as u32;
        let (mut points, mut bottom) = (Vec::new(), Vec::new());
        for z in 0..side[2] {
            for y in 0..side[1] {
                for x in 0..side[0] {
                    let shift = |k: f64| 0.2 * (k * points.len() as f64).sin();
                    let flat = if dimension == 3 { shift(2.9) } else { 0.0 };
                    let p = [x as f64 + shift(1.3), y as f64 + shift(2.1), z as f64 + flat];
                    points.push(p);
                    bottom.push(if dimension == 3 { z == 0 } else { y == 0 });
                }
            }
        }
        let mut elements = Vec::new();
        for z in 0..cells[2].max(1) {
            for y in 0..cells[1] {
                for x in 0..cells[0] {
                    elements.extend(walks(dimension).map(|walk| {
                        let mut corner = [x, y, z];
                        let first = id(corner);
                        let rest = walk.iter().map(|&axis| {
                            corner[axis] += 1;
                            id(corner)
                        });
                        std::iter::once(first).chain(rest).collect::<Vec<u32>>()
                    }));
                }
            }
        }
        let shape = if dimension == 3 { "tet4" } else { "t3" };
        let name = format!("{shape} {}x{}x{}", cells[0], cells[1], cells[2]);
        Self { name, dimension, points, elements, bottom }
    }

    /// M + h²θ²K of PMMA, with a step in which waves cross ten cells.
    pub fn effective_mass(&self) -> BlockOperator {
        let nodes = self.points.len();
        let graph = NodeGraph::new(nodes, self.elements.iter().map(|element| &element[..]));
        let mut operator = BlockOperator::zero(Arc::new(graph), self.dimension);
        for element in &self.elements {
            let (mass, stiffness) = match self.dimension {
                2 => self.element::<2>(element),
                _ => self.element::<3>(element),
            };
            operator.add_element(element, &mass, &stiffness);
        }
        operator.balance_rows();
        let step = 10.0 / ((LAME + 2.0 * SHEAR) / DENSITY).sqrt();
        operator.scaled(1.0, 0.25 * step * step)
    }

    fn element<const D: usize>(&self, nodes: &[u32]) -> (Vec<f64>, Vec<f64>) {
        let (volume, gradients) = self.gradients::<D>(nodes);
        let n = D + 1;
        let mut mass = vec![0.0; n * n];
        let mut stiffness = vec![0.0; n * D * n * D];
        for a in 0..n {
            for b in 0..n {
                let share = if a == b { 2.0 } else { 1.0 } / (n * (n + 1)) as f64;
                mass[a * n + b] = DENSITY * volume * share;
                let along: f64 = (0..D).map(|i| gradients[a][i] * gradients[b][i]).sum();
                for i in 0..D {
                    for j in 0..D {
                        let same = if i == j { along } else { 0.0 };
                        stiffness[(a * D + i) * n * D + b * D + j] = volume
                            * (LAME * gradients[a][i] * gradients[b][j]
                                + SHEAR * (gradients[a][j] * gradients[b][i] + same));
                    }
                }
            }
        }
        (mass, stiffness)
    }

    /// Volume and gradients of the barycentric coordinates, by Gauss–Jordan on the edges.
    fn gradients<const D: usize>(&self, nodes: &[u32]) -> (f64, Vec<[f64; D]>) {
        let origin = self.points[nodes[0] as usize];
        let mut edges = [[0.0; D]; D];
        let mut inverse = [[0.0; D]; D];
        for k in 0..D {
            let point = self.points[nodes[k + 1] as usize];
            edges[k] = std::array::from_fn(|i| point[i] - origin[i]);
            inverse[k][k] = 1.0;
        }
        let mut determinant: f64 = 1.0;
        for k in 0..D {
            let pivot = (k..D)
                .max_by(|&a, &b| edges[a][k].abs().total_cmp(&edges[b][k].abs()))
                .expect("there are rows left");
            edges.swap(k, pivot);
            inverse.swap(k, pivot);
            determinant *= edges[k][k];
            let scale = 1.0 / edges[k][k];
            edges[k].iter_mut().chain(&mut inverse[k]).for_each(|x| *x *= scale);
            for row in (0..D).filter(|&row| row != k) {
                let factor = edges[row][k];
                for i in 0..D {
                    edges[row][i] -= factor * edges[k][i];
                    inverse[row][i] -= factor * inverse[k][i];
                }
            }
        }
        let mut gradients = vec![[0.0; D]];
        for k in 0..D {
            let gradient = std::array::from_fn(|i| inverse[i][k]);
            (0..D).for_each(|i| gradients[0][i] -= inverse[i][k]);
            gradients.push(gradient);
        }
        (determinant.abs() / [1.0, 1.0, 2.0, 6.0][D], gradients)
    }
}

const LAME: f64 = 5337.0;
const SHEAR: f64 = 2117.0;
const DENSITY: f64 = 1.17e-3;

/// The ways from a corner of a cell to the opposite one along its edges: a simplex each.
fn walks(dimension: usize) -> impl Iterator<Item = &'static [usize]> {
    const FLAT: [&[usize]; 2] = [&[0, 1], &[1, 0]];
    const SOLID: [&[usize]; 6] =
        [&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
    if dimension == 2 { FLAT.iter().copied() } else { SOLID.iter().copied() }
}

/// Order of the dofs in which those of the nodes in `last` come last, and how many come before.
pub fn order_dofs(operator: &BlockOperator, last: &[bool]) -> (Vec<u32>, usize) {
    let d = operator.dimension() as u32;
    let nodes = contact_last(operator.graph(), last);
    let before = last.iter().filter(|&&last| !last).count() * d as usize;
    (nodes.iter().flat_map(|&node| (0..d).map(move |i| node * d + i)).collect(), before)
}

/// The matrix with its dofs in `order`.
pub fn in_order(operator: &BlockOperator, order: &[u32]) -> UpperColumns {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &dof)| position[dof as usize] = at as u32);
    operator.upper_columns(&position, order)
}
