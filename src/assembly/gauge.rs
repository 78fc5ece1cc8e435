//! How far elements turn and strain: what linear elasticity takes for small.

use super::Body;
use crate::element::sample;
use crate::mesh::ElementKind;

/// Of one element, at its centre, from the displacement gradient ∇u:
///
/// ```text
///     rotation = ‖½ curl u‖        strain = ‖½(∇u + ∇uᵀ)‖
/// ```
///
/// and of a bar along n: ‖(1 − n⊗n)∇u n‖ and |n·∇u n|.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distortion {
    /// In radians, where it is small.
    pub rotation: f64,
    /// The norm of all components.
    pub strain: f64,
}

/// Gradients of the shape functions at the centres of all elements of a body.
#[derive(Clone, Debug)]
pub struct Gauge {
    dimension: usize,
    /// ∂N_a/∂x of each node of each element.
    gradients: Vec<[f64; 3]>,
    nodes: Vec<u32>,
    /// First node of each element in both, and whether it is a bar.
    elements: Vec<(u32, bool)>,
}

impl Gauge {
    /// For the elements of a body.
    pub fn new(body: &Body) -> Self {
        let mut gauge = Self {
            dimension: body.mesh.dimension,
            gradients: Vec::new(),
            nodes: Vec::new(),
            elements: Vec::with_capacity(body.elements.len()),
        };
        for e in 0..body.elements.len() {
            let (kind, nodes, points) = (body.kind(e), body.nodes_of(e), body.points_of(e));
            let third = 1.0 / 3.0;
            let centre = match kind {
                ElementKind::Triangle3 | ElementKind::Triangle6 => [third, third, 0.0],
                ElementKind::Tetrahedron4 | ElementKind::Tetrahedron10 => [0.25; 3],
                _ => [0.0; 3],
            };
            let sampled = sample(kind, &points[..nodes.len()], centre);
            gauge.elements.push((gauge.nodes.len() as u32, kind == ElementKind::Line2));
            gauge.gradients.extend_from_slice(&sampled.gradients[..nodes.len()]);
            gauge.nodes.extend_from_slice(nodes);
        }
        gauge
    }

    /// Visits every element with what the displacements `q` make of it.
    pub fn read(&self, q: &[f64], mut visit: impl FnMut(usize, Distortion)) {
        let ends = self.elements.iter().skip(1).map(|(first, _)| *first as usize);
        let ends = ends.chain([self.nodes.len()]);
        for (e, (&(first, is_bar), end)) in self.elements.iter().zip(ends).enumerate() {
            let own = first as usize..end;
            let mut gradient = [[0.0; 3]; 3];
            for (&node, slope) in self.nodes[own.clone()].iter().zip(&self.gradients[own.clone()]) {
                let u = &q[self.dimension * node as usize..][..self.dimension];
                for (row, u) in gradient.iter_mut().zip(u) {
                    row.iter_mut().zip(slope).for_each(|(entry, slope)| *entry += u * slope);
                }
            }
            let bar = is_bar.then(|| self.gradients[own.end - 1]);
            visit(e, bar.map_or_else(|| of_solid(&gradient), |slope| of_bar(&gradient, slope)));
        }
    }
}

fn of_solid(u: &[[f64; 3]; 3]) -> Distortion {
    let (mut rotation, mut strain) = (0.0, 0.0);
    for i in 0..3 {
        strain += u[i][i] * u[i][i];
        for j in i + 1..3 {
            let (turned, sheared) = (0.5 * (u[i][j] - u[j][i]), 0.5 * (u[i][j] + u[j][i]));
            rotation += turned * turned;
            strain += 2.0 * sheared * sheared;
        }
    }
    Distortion { rotation: rotation.sqrt(), strain: strain.sqrt() }
}

/// `slope` is n/l.
fn of_bar(u: &[[f64; 3]; 3], slope: [f64; 3]) -> Distortion {
    let size = slope.iter().map(|s| s * s).sum::<f64>().sqrt();
    let n = slope.map(|s| s / size);
    let along = [0, 1, 2].map(|i| (0..3).map(|j| u[i][j] * n[j]).sum::<f64>());
    let strain: f64 = (0..3).map(|i| along[i] * n[i]).sum();
    let across = (0..3).map(|i| (along[i] - strain * n[i]).powi(2)).sum::<f64>();
    Distortion { rotation: across.sqrt(), strain: strain.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_has_no_strain_and_a_stretch_no_rotation() {
        let turn = [[0.0, -0.1, 0.0], [0.1, 0.0, 0.0], [0.0; 3]];
        let Distortion { rotation, strain } = of_solid(&turn);
        assert!((rotation - 0.1).abs() < 1e-15 && strain == 0.0);
        let stretch = [[0.3, 0.0, 0.0], [0.0, -0.4, 0.0], [0.0; 3]];
        assert_eq!(of_solid(&stretch), Distortion { rotation: 0.0, strain: 0.5 });
    }

    /// A bar along x of length 2 whose end moves by (0.02, 0.2).
    #[test]
    fn a_bar_turns_by_what_moves_across_it() {
        let slope = [0.5, 0.0, 0.0];
        let gradient = [[0.01, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0; 3]];
        let Distortion { rotation, strain } = of_bar(&gradient, slope);
        assert!((rotation - 0.1).abs() < 1e-15 && (strain - 0.01).abs() < 1e-15);
    }
}
