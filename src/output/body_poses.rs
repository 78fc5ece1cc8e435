//! Rigid bodies in the frames: to which of them each cell belongs, where it is and how it moves.

use super::View;
use super::vtu::Field;
use crate::rigid::{BodyPose, Scene, SceneBody};
use crate::units::Dimension;

/// Names of the components of a unit quaternion.
const QUATERNION: [&str; 4] = ["w", "x", "y", "z"];

/// What VTK hides of points and cells that carry these marks.
const HIDDEN_POINT: u8 = 2;
const HIDDEN_CELL: u8 = 32;

/// Arrays of the cells, those of the mesh first; they belong to no body.
#[derive(Debug, Default)]
pub(super) struct BodyPoses {
    body: Vec<i32>,
    /// 1 where its motion is prescribed.
    driven: Vec<i32>,
    center: Vec<f64>,
    rotation: Vec<f64>,
    velocity: Vec<f64>,
    spin: Vec<f64>,
    kinetic: Vec<f64>,
    /// Where any body comes or goes.
    hidden_points: Vec<u8>,
    hidden_cells: Vec<u8>,
}

impl BodyPoses {
    /// Takes them from a state, behind so many cells of the mesh.
    pub fn gather(&mut self, scene: &Scene, mesh_cells: usize, view: &View) {
        let (d, state) = (view.problem.dofs.dimension, view.state);
        let cells = mesh_cells + scene.cells.len();
        reset(&mut self.body, cells, -1);
        reset(&mut self.driven, cells, 0);
        for vectors in [&mut self.center, &mut self.velocity, &mut self.spin] {
            reset(vectors, 3 * cells, 0.0);
        }
        reset(&mut self.kinetic, cells, 0.0);
        self.rotation.clear();
        (0..cells).for_each(|_| self.rotation.extend([1.0, 0.0, 0.0, 0.0]));
        for (id, body) in scene.bodies.iter().enumerate() {
            let BodyPose { place, turn, velocity, spin } = body.pose(d, (&state.q, &state.v));
            let energy = body.center.dofs(d).map(|dof| 0.5 * state.v[dof] * state.mv[dof]).sum();
            let is_driven = |dof: usize| view.problem.dofs.position_of(dof).is_none();
            let driven = i32::from(body.center.dofs(d).all(is_driven));
            for cell in body.cells.clone().map(|cell| mesh_cells + cell) {
                self.body[cell] = id as i32;
                self.driven[cell] = driven;
                self.center[3 * cell..][..3].copy_from_slice(&place);
                self.rotation[4 * cell..][..4].copy_from_slice(&turn);
                self.velocity[3 * cell..][..3].copy_from_slice(&velocity);
                self.spin[3 * cell..][..3].copy_from_slice(&spin);
                self.kinetic[cell] = energy;
            }
        }
        self.hide(scene, mesh_cells, view);
    }

    /// Marks what belongs to bodies that were not there in the last step.
    fn hide(&mut self, scene: &Scene, mesh_cells: usize, view: &View) {
        let presences = &view.problem.presences;
        if presences.is_empty() {
            return;
        }
        reset(&mut self.hidden_points, scene.mesh_nodes + scene.points.len(), 0);
        reset(&mut self.hidden_cells, mesh_cells + scene.cells.len(), 0);
        // The first frame shows what the first step begins with.
        let step = view.state.step.saturating_sub(1);
        for absent in presences.iter().filter(|presence| !presence.holds(step)) {
            let own = |body: &&SceneBody| body.center.node() == absent.center.node();
            let Some(body) = scene.bodies.iter().find(own) else { continue };
            let points = body.points.clone().map(|point| scene.mesh_nodes + point);
            points.for_each(|point| self.hidden_points[point] = HIDDEN_POINT);
            let cells = body.cells.clone().map(|cell| mesh_cells + cell);
            cells.for_each(|cell| self.hidden_cells[cell] = HIDDEN_CELL);
        }
    }

    /// The arrays of the cells.
    pub fn cell_data(&self) -> Vec<Field<'_>> {
        let mut fields = vec![
            Field::integer("body", &self.body),
            Field::integer("driven", &self.driven),
            Field::vector("center", &self.center).of(Dimension::Length),
            Field::reals("rotation", &QUATERNION, &self.rotation),
            Field::vector("center_velocity", &self.velocity).of(Dimension::Velocity),
            Field::vector("angular_velocity", &self.spin).of(Dimension::Spin),
            Field::scalar("kinetic_energy", &self.kinetic).of(Dimension::Energy),
        ];
        if !self.hidden_cells.is_empty() {
            fields.push(Field::marks("vtkGhostType", &self.hidden_cells));
        }
        fields
    }

    /// Those of the points.
    pub fn point_data(&self) -> Option<Field<'_>> {
        let comes_or_goes = !self.hidden_points.is_empty();
        comes_or_goes.then(|| Field::marks("vtkGhostType", &self.hidden_points))
    }
}

fn reset<T: Clone>(array: &mut Vec<T>, length: usize, value: T) {
    array.clear();
    array.resize(length, value);
}
