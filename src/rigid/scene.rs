//! What of a system beside its mesh is drawn, and whose motion is written down.

use super::{BodyShape, Solid, rim};
use crate::contact::Grip;

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
