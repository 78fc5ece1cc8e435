//! The mesh: points, elements of mixed kinds, named groups.

mod cursor;
mod error;
mod gmsh;
mod gmsh_v2;
mod gmsh_v4;
mod quality;
mod raw;
mod rectangle;
mod repair;

pub use error::{MeshError, Place, Position};
pub use quality::{QualitySummary, TriangleQuality};

use std::collections::BTreeMap;
use std::path::Path;

/// The kinds of elements a mesh may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementKind {
    /// One node.
    Point1,
    /// Two-node line.
    Line2,
    /// Three-node triangle.
    Triangle3,
}

impl ElementKind {
    /// The largest number of nodes of any kind.
    pub const MOST_NODES: usize = 3;

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Self::Point1 => 1,
            Self::Line2 => 2,
            Self::Triangle3 => 3,
        }
    }

    /// Topological dimension.
    pub fn dimension(self) -> usize {
        match self {
            Self::Point1 => 0,
            Self::Line2 => 1,
            Self::Triangle3 => 2,
        }
    }
}

/// A named set of elements of one dimension, and the nodes they touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Dimension of its elements.
    pub dimension: usize,
    /// Element indices, ascending.
    pub elements: Vec<u32>,
    /// Node indices, ascending, each once.
    pub nodes: Vec<u32>,
}

/// Points, elements and groups, as read and repaired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Dimension of the space the body lives in: 2.
    pub dimension: usize,
    /// Coordinates of the nodes; z = 0 in the plane.
    pub points: Vec<[f64; 3]>,
    /// The number each node has in the file, for messages.
    pub node_tags: Vec<u64>,
    /// Kind of each element.
    pub kinds: Vec<ElementKind>,
    /// Element e has nodes `connectivity[offsets[e]..offsets[e + 1]]`.
    pub offsets: Vec<u32>,
    /// Node indices of all elements, one after the other.
    pub connectivity: Vec<u32>,
    /// The number each element has in the file, for messages.
    pub element_tags: Vec<u64>,
    /// Physical groups by name.
    pub groups: BTreeMap<String, Group>,
    /// What the reader mended or passed over, one sentence each.
    pub notices: Vec<String>,
}

impl Mesh {
    /// Reads a Gmsh file (4.1 or 2.2, text or binary) and repairs it.
    ///
    /// What was mended is told in `notices`.
    pub fn read(path: &Path) -> Result<Self, MeshError> {
        let bytes = std::fs::read(path)
            .map_err(|source| MeshError::Unreadable { path: path.to_path_buf(), source })?;
        Self::parse(&bytes, path)
    }

    /// Reads the bytes of a Gmsh file and repairs the mesh; `path` is for messages.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, MeshError> {
        let mut mesh = gmsh::parse(bytes, path)?;
        repair::repair(&mut mesh, path)?;
        Ok(mesh)
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.points.len()
    }

    /// Number of elements of every dimension.
    pub fn element_count(&self) -> usize {
        self.kinds.len()
    }

    /// Nodes of element `e`.
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        &self.connectivity[self.offsets[e] as usize..self.offsets[e + 1] as usize]
    }
    /// Indices of the elements that make up the body: those of the highest dimension.
    pub fn body_elements(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.element_count()).filter(|&e| self.kinds[e].dimension() == self.dimension)
    }

    /// The physical group of that name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.get(name)
    }

    /// Smallest and largest coordinates; infinite the wrong way round if there is no node.
    pub fn bounding_box(&self) -> ([f64; 3], [f64; 3]) {
        let mut lower = [f64::INFINITY; 3];
        let mut upper = [f64::NEG_INFINITY; 3];
        for point in &self.points {
            for axis in 0..3 {
                lower[axis] = lower[axis].min(point[axis]);
                upper[axis] = upper[axis].max(point[axis]);
            }
        }
        (lower, upper)
    }

    /// Corners of element `e`, which must be a triangle.
    fn triangle(&self, e: usize) -> [[f64; 3]; 3] {
        let nodes = self.nodes_of(e);
        [0, 1, 2].map(|corner| self.points[nodes[corner] as usize])
    }
}
