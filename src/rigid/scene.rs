//! What of a system beside its mesh is drawn, and whose motion is written down.

use std::ops::Range;

use super::{BodyShape, Solid, rim};
use crate::contact::Grip;
use crate::vector::dot;
use crate::vector::rotation::{matrix, of_vector, product};

/// Something whose motion is written down.
#[derive(Clone, Debug, PartialEq)]
pub enum Tracked {
    /// A point mass.
    Mass {
        /// Its name.
        name: String,
        /// The mass.
        grip: Grip,
    },
    /// A rigid body.
    Body {
        /// Its name.
        name: String,
        /// Its centre.
        grip: Grip,
        /// Its angle at rest.
        angle: f64,
    },
    /// A rigid body in space.
    Solid {
        /// Its name.
        name: String,
        /// Its centre.
        grip: Grip,
        /// The unit quaternion from the coordinates that its shape is given in to its principal axes.
        axes: [f64; 4],
    },
    /// The mean over nodes of a mesh.
    Probe {
        /// Its name.
        name: String,
        /// The nodes.
        nodes: Vec<Grip>,
    },
}

/// Where a rigid body is, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Its centre of mass.
    pub place: [f64; 3],
    /// The unit quaternion from the coordinates that its shape is given in to those of space.
    pub turn: [f64; 4],
    /// Velocity of its centre.
    pub velocity: [f64; 3],
    /// Angular velocity, in the axes of space.
    pub spin: [f64; 3],
}

/// A rigid body of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBody {
    /// Its centre.
    pub center: Grip,
    /// Its rotation at rest; in space that from the coordinates of its shape to its principal axes.
    pub rest: [f64; 4],
    /// Its points in the scene.
    pub points: Range<usize>,
    /// Its cells in the scene.
    pub cells: Range<usize>,
}

impl SceneBody {
    /// Where it is under the displacements `q`, and how it moves with the velocities `v` of the dofs.
    pub fn pose(&self, dimension: usize, (q, v): (&[f64], &[f64])) -> BodyPose {
        let grip = &self.center;
        let turns = grip.turn_dofs();
        let (turn, spin) = match turns.len() {
            3 => {
                let [phi, omega] = [q, v].map(|x| [0, 1, 2].map(|k| x[turns.start + k]));
                let turn = of_vector(phi);
                (turn, matrix(turn).map(|row| dot(row, omega)))
            }
            _ => {
                let [angle, spin] = [q, v].map(|x| turns.clone().map(|dof| x[dof]).sum());
                (of_vector([0.0, 0.0, angle]), [0.0, 0.0, spin])
            }
        };
        BodyPose {
            place: grip.place(dimension, q),
            turn: product(turn, self.rest),
            velocity: grip.velocity(dimension, &grip.lever(q), v),
            spin,
        }
    }
}

/// A cell of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneCell {
    /// A point.
    Dot,
    /// A line between two points.
    Line,
    /// A polygon.
    Polygon,
}

/// What stands beside the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Number of nodes of the mesh.
    pub mesh_nodes: usize,
    /// Points to be drawn.
    pub points: Vec<Grip>,
    /// Cells, each with its points as indices into `points`.
    pub cells: Vec<(SceneCell, Vec<u32>)>,
    /// The rigid bodies among them, in their order: a body is known by its number here.
    pub bodies: Vec<SceneBody>,
    /// What is written down.
    pub tracked: Vec<Tracked>,
}

impl Scene {
    /// Adds a point mass, a ball in the plane where it has a radius there.
    pub fn add_mass(&mut self, name: &str, grip: Grip, radius: f64, planar: bool) {
        self.tracked.push(Tracked::Mass { name: name.into(), grip });
        self.draw(SceneCell::Dot, [grip]);
        if let (true, true, Grip::Node { node, point }) = (planar, radius > 0.0, grip) {
            let corner = |[x, y]: [f64; 2]| [point[0] + x, point[1] + y, point[2]];
            let corners = rim(radius).into_iter().map(corner);
            self.draw(SceneCell::Polygon, corners.map(|point| Grip::Node { node, point }));
        }
    }

    /// Adds a rigid body of that shape, turned by `angle` at rest about its centre.
    pub fn add_body(&mut self, name: &str, shape: &BodyShape, grip: Grip, angle: f64) {
        self.tracked.push(Tracked::Body { name: name.into(), grip, angle });
        let first = (self.points.len(), self.cells.len());
        self.draw_body(shape, grip, angle);
        self.enclose(grip, of_vector([0.0, 0.0, angle]), first);
    }

    /// What was drawn since there were so many points and cells is a body.
    fn enclose(&mut self, center: Grip, rest: [f64; 4], (points, cells): (usize, usize)) {
        let (points, cells) = (points..self.points.len(), cells..self.cells.len());
        self.bodies.push(SceneBody { center, rest, points, cells });
    }

    fn draw_body(&mut self, shape: &BodyShape, grip: Grip, angle: f64) {
        let Grip::Body { node, turn, center, .. } = grip else { return };
        let corner = |arm: [f64; 2]| {
            let (sine, cosine) = angle.sin_cos();
            let arm = [cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]];
            Grip::Body { node, turn, center, arm }
        };
        let figure = match shape {
            BodyShape::Rod { .. } => SceneCell::Line,
            BodyShape::Box { .. } | BodyShape::Polygon { .. } | BodyShape::Disk { .. } => {
                SceneCell::Polygon
            }
        };
        self.draw(figure, shape.outline().into_iter().map(corner));
        if shape.radius() > 0.0 {
            self.draw(SceneCell::Dot, [corner([0.0; 2])]);
        }
    }

    /// Adds a rigid body in space, with the rotation from the coordinates that its shape is given in to its axes.
    pub fn add_solid(&mut self, name: &str, center: Grip, (shape, axes): (&Solid, [f64; 4])) {
        self.tracked.push(Tracked::Solid { name: name.into(), grip: center, axes });
        let first = (self.points.len(), self.cells.len());
        self.draw_solid(shape, center);
        self.enclose(center, axes, first);
    }

    fn draw_solid(&mut self, shape: &Solid, center: Grip) {
        let Grip::Solid { node, turn, center, rest, .. } = center else { return };
        let (points, faces) = shape.drawing();
        let first = self.points.len() as u32;
        self.points.extend(points.into_iter().map(|arm| Grip::Solid {
            node,
            turn,
            center,
            arm,
            rest,
        }));
        let cell = |face: Vec<u32>| {
            (SceneCell::Polygon, face.into_iter().map(|point| first + point).collect())
        };
        self.cells.extend(faces.into_iter().map(cell));
    }

    /// Adds a line: a spring or a bar.
    pub fn add_line(&mut self, ends: [Grip; 2]) {
        self.draw(SceneCell::Line, ends);
    }

    fn draw(&mut self, figure: SceneCell, points: impl IntoIterator<Item = Grip>) {
        let first = self.points.len() as u32;
        self.points.extend(points);
        self.cells.push((figure, (first..self.points.len() as u32).collect()));
    }

    /// The point of the picture that a grip is drawn as; nodes of the mesh come first.
    pub fn point_of(&self, grip: &Grip) -> Option<usize> {
        match grip {
            Grip::Node { node, .. } if (*node as usize) < self.mesh_nodes => Some(*node as usize),
            _ => Some(self.mesh_nodes + self.points.iter().position(|point| point == grip)?),
        }
    }
}
