//! The mesh: points, elements of mixed kinds, named groups.

mod cursor;
mod error;
mod gmsh;
mod gmsh_v2;
mod gmsh_v4;
mod grid;
mod jacobian;
mod kind;
mod made;
mod quality;
mod raw;
mod repair;
mod surface;

pub use error::{MeshError, Place, Position};
pub use kind::{ElementKind, Face};
pub use quality::{ElementQuality, QualitySummary};
pub use surface::{Surface, parse_surface, read_surface};

use std::collections::BTreeMap;
use std::path::Path;

use jacobian::{Extent, Point};

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
    /// Dimension of the space the body lives in: 1, 2 or 3.
    pub dimension: usize,
    /// Coordinates of the nodes; those beyond `dimension` are zero.
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
    /// Line elements that were named as bars, ascending; they belong to the body.
    pub bars: Vec<u32>,
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
        Self::read_with_bars(path, &[])
    }

    /// [`Mesh::read`], where the lines of the groups named in `bars` belong to the body.
    ///
    /// Names of groups that are missing or not of lines are passed over.
    pub fn read_with_bars(path: &Path, bars: &[String]) -> Result<Self, MeshError> {
        Self::parse_with_bars(&read_bytes(path)?, path, bars)
    }

    /// Reads the bytes of a Gmsh file and repairs the mesh; `path` is for messages.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, MeshError> {
        Self::parse_with_bars(bytes, path, &[])
    }

    /// [`Mesh::parse`] with bars as in [`Mesh::read_with_bars`].
    pub fn parse_with_bars(bytes: &[u8], path: &Path, bars: &[String]) -> Result<Self, MeshError> {
        let mut mesh = gmsh::parse(bytes, path)?;
        repair::repair(&mut mesh, path, bars)?;
        Ok(mesh)
    }

    /// Multiplies all coordinates.
    pub fn scale(&mut self, factor: f64) {
        self.points.iter_mut().flatten().for_each(|x| *x *= factor);
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

    /// Highest dimension of any element; below that of the space in a truss.
    pub fn element_dimension(&self) -> usize {
        self.kinds.iter().map(|kind| kind.dimension()).max().unwrap_or(0)
    }

    /// Indices of the elements that make up the body, ascending: those of the highest dimension, and
    /// bars.
    pub fn body_elements(&self) -> impl Iterator<Item = usize> + '_ {
        let highest = self.element_dimension();
        (0..self.element_count())
            .filter(move |&e| self.kinds[e].dimension() == highest || self.is_bar(e))
    }

    fn is_bar(&self, e: usize) -> bool {
        self.kinds[e].dimension() == 1 && self.bars.binary_search(&(e as u32)).is_ok()
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

    /// Coordinates of the nodes of element `e`; entries beyond their number mean nothing.
    fn points_of(&self, e: usize) -> [Point; ElementKind::MOST_NODES] {
        let mut points = [[0.0; 3]; ElementKind::MOST_NODES];
        for (point, &node) in points.iter_mut().zip(self.nodes_of(e)) {
            *point = self.points[node as usize];
        }
        points
    }

    /// How element `e` lies in the space of the body; in the plane z points up.
    fn extent(&self, e: usize) -> Extent {
        let up = (self.dimension == 2).then_some([0.0, 0.0, 1.0]);
        Extent::new(self.kinds[e], &self.points_of(e), up)
    }
}

#[cfg(unix)]
fn is_pipe(what: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&what.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// A device may have no end: only what someone writes is read.
fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshError> {
    let read = || {
        let what = std::fs::metadata(path)?;
        match what.is_file() || what.is_dir() || is_pipe(&what) {
            true => std::fs::read(path),
            false => Err(std::io::Error::other("it is a device or a pipe; give a regular file")),
        }
    };
    read().map_err(|source| MeshError::Unreadable { path: path.to_path_buf(), source })
}
