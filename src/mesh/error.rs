//! What can be wrong with a mesh file; all of it is bad input.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// How far into a file: lines for text, bytes for binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Line number, from 1.
    Line(usize),
    /// Byte offset, from 0.
    Byte(usize),
}

/// A place in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// Line or byte in it.
    pub position: Position,
    /// Section with its dollar sign; empty between sections.
    pub section: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::Line(line) => write!(f, "{}:{line}", self.path.display())?,
            Position::Byte(byte) => write!(f, "{}: byte {byte}", self.path.display())?,
        }
        if self.section.is_empty() { Ok(()) } else { write!(f, ": {}", self.section) }
    }
}

/// Why a mesh cannot be read or used.
#[derive(Debug, Error)]
pub enum MeshError {
    /// The operating system refuses the file.
    #[error("{}: cannot read the mesh: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// The file does not begin like a Gmsh file.
    #[error("{}: not a gmsh mesh: it begins with '{found}' instead of $MeshFormat; save it with gmsh as .msh 4.1", path.display())]
    NotGmsh {
        /// The file.
        path: PathBuf,
        /// Its first word.
        found: String,
    },
    /// A Gmsh format that is not read.
    #[error(
        "{place}: gmsh format {format} is not read; save the mesh again as 4.1: gmsh in.msh -save -format msh41 -o out.msh"
    )]
    UnsupportedFormat {
        /// Where the format is given.
        place: Place,
        /// Version, or the property at fault.
        format: String,
    },
    /// The file stops too early.
    #[error(
        "{place}: expected {expected}, the file ends; was it truncated? save it again with gmsh"
    )]
    Truncated {
        /// Where it ends.
        place: Place,
        /// What should have come.
        expected: String,
    },
    /// Something else stands where a value should be.
    #[error(
        "{place}: expected {expected}, found '{found}'; was the file edited by hand? save it again with gmsh"
    )]
    Unexpected {
        /// Where.
        place: Place,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A count that the rest of the file cannot hold.
    #[error(
        "{place}: {count} {things} announced, but the rest of the file holds {room} at most; was it truncated? save it again with gmsh"
    )]
    CountBeyondFile {
        /// Where the count stands.
        place: Place,
        /// Things counted.
        things: &'static str,
        /// The count.
        count: u64,
        /// Upper bound from the bytes that remain.
        room: usize,
    },
    /// A total that is not the sum of its parts.
    #[error(
        "{place}: {announced} {things} announced, but the blocks hold {found}; save the mesh again with gmsh"
    )]
    CountMismatch {
        /// Where the difference shows.
        place: Place,
        /// Things counted.
        things: &'static str,
        /// Total at the head of the section.
        announced: u64,
        /// Sum of the blocks up to here.
        found: u64,
    },
    /// A coordinate is NaN or infinite.
    #[error("{place}: node {node} has the coordinates ({}, {}, {}); they must be finite: mesh the geometry again", coordinates[0], coordinates[1], coordinates[2])]
    NotFinite {
        /// Where the node stands.
        place: Place,
        /// Its number in the file.
        node: u64,
        /// What was read.
        coordinates: [f64; 3],
    },
    /// An element kind that the program does not have.
    #[error(
        "{place}: element {element} is a {name} (gmsh type {gmsh_type}), which is not supported; {remedy}"
    )]
    UnsupportedElement {
        /// Where the element stands.
        place: Place,
        /// Its number in the file.
        element: u64,
        /// Gmsh's number of the kind.
        gmsh_type: i32,
        /// Gmsh's name of the kind.
        name: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// Two nodes share a number.
    #[error("{}: node {node} is defined twice; renumber the mesh (gmsh: RenumberMeshNodes) and save it again", path.display())]
    DuplicateNode {
        /// The file.
        path: PathBuf,
        /// The number.
        node: u64,
    },
    /// Two different elements share a number.
    #[error("{}: element {element} is defined twice; renumber the mesh (gmsh: RenumberMeshElements) and save it again", path.display())]
    DuplicateElement {
        /// The file.
        path: PathBuf,
        /// The number.
        element: u64,
    },
    /// Two elements of the body lie on each other.
    #[error("{}: elements {first} and {second} have the same nodes and would count twice; remove the curve, surface or volume that is there twice", path.display())]
    OverlappingElements {
        /// The file.
        path: PathBuf,
        /// Number of the one.
        first: u64,
        /// Number of the other.
        second: u64,
    },
    /// An element refers to a node that is not in the file.
    #[error("{}: element {element} refers to node {node}, which is not in $Nodes; save the mesh again with gmsh", path.display())]
    MissingNode {
        /// The file.
        path: PathBuf,
        /// Number of the element.
        element: u64,
        /// Number of the node.
        node: u64,
    },
    /// An element lies on an entity that is not in the file.
    #[error("{}: element {element} lies on entity {entity} of dimension {dimension}, which is not in $Entities; if the mesh is partitioned, save it with Mesh.NbPartitions = 0", path.display())]
    MissingEntity {
        /// The file.
        path: PathBuf,
        /// Number of the element.
        element: u64,
        /// Dimension of the entity.
        dimension: usize,
        /// Its number in the file.
        entity: i32,
    },
    /// A name stands for two physical groups.
    #[error("{}: physical groups {first} and {second} (dimension:tag) are both named '{name}'; rename one of them", path.display())]
    AmbiguousGroup {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// Dimension and tag of the one.
        first: String,
        /// Dimension and tag of the other.
        second: String,
    },
    /// More nodes or elements than 32-bit indices reach.
    #[error("{}: {count} {things} are more than the {} that fit; use a coarser mesh", path.display(), u32::MAX)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Things counted.
        things: &'static str,
        /// How many.
        count: usize,
    },
    /// Points at most.
    #[error("{}: no line, surface or volume among its {elements} elements and {nodes} nodes; mesh the geometry (gmsh -1, -2 or -3) and put the body in a physical group, or set Mesh.SaveAll = 1", path.display())]
    NoBody {
        /// The file.
        path: PathBuf,
        /// Points.
        elements: usize,
        /// Nodes.
        nodes: usize,
    },
    /// A node of a plane mesh lies outside the plane.
    #[error("{}: node {node} has z = {z}, but a mesh of surfaces must lie in z = 0 to within {tolerance:.1e}; move or project it, or mesh the volume (gmsh -3): shells are not supported", path.display())]
    OutOfPlane {
        /// The file.
        path: PathBuf,
        /// Its number in the file.
        node: u64,
        /// Its third coordinate.
        z: f64,
        /// The distance allowed.
        tolerance: f64,
    },
    /// An element without length, area or volume.
    #[error("{}: element {element} is degenerate: measure {measure:.3e} at longest edge {longest_edge:.3e}; refine or repair the mesh there", path.display())]
    DegenerateElement {
        /// The file.
        path: PathBuf,
        /// Its number in the file.
        element: u64,
        /// Its length, area or volume.
        measure: f64,
        /// Its longest edge.
        longest_edge: f64,
    },
    /// An element whose map from the unit element is not one to one.
    #[error("{}: element {element} ({kind}) is twisted or folded: its Jacobian falls to {jacobian:.3e} of its longest edge to the power of its dimension; {remedy}", path.display())]
    FoldedElement {
        /// The file.
        path: PathBuf,
        /// Its number in the file.
        element: u64,
        /// Name of its kind.
        kind: &'static str,
        /// Its smallest Jacobian, relative.
        jacobian: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// Points, elements or groups of a program that make no mesh.
    #[error("the mesh: {what}")]
    Made {
        /// What is wrong, and what to do.
        what: String,
    },
    /// No surface of that name, or none at all.
    #[error("{}: {wanted}; its physical surfaces are: {known}", path.display())]
    NoSurface {
        /// The file.
        path: PathBuf,
        /// What is missing, and what to do.
        wanted: String,
        /// Names of the surfaces there are.
        known: String,
    },
    /// A facet that no rigid surface can have.
    #[error("{}: element {element} ({kind}) does not fit a rigid surface, which is made of 3-node triangles and 4-node quadrangles; mesh it with gmsh -order 1", path.display())]
    CurvedFacet {
        /// The file.
        path: PathBuf,
        /// Its number in the file.
        element: u64,
        /// Name of its kind.
        kind: &'static str,
    },
}

impl MeshError {
    /// The file at fault.
    pub fn path(&self) -> &Path {
        match self {
            Self::UnsupportedFormat { place, .. }
            | Self::Truncated { place, .. }
            | Self::Unexpected { place, .. }
            | Self::CountBeyondFile { place, .. }
            | Self::CountMismatch { place, .. }
            | Self::NotFinite { place, .. }
            | Self::UnsupportedElement { place, .. } => &place.path,
            Self::Made { .. } => Path::new("the mesh"),
            Self::Unreadable { path, .. }
            | Self::NotGmsh { path, .. }
            | Self::DuplicateNode { path, .. }
            | Self::DuplicateElement { path, .. }
            | Self::OverlappingElements { path, .. }
            | Self::MissingNode { path, .. }
            | Self::MissingEntity { path, .. }
            | Self::AmbiguousGroup { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NoBody { path, .. }
            | Self::OutOfPlane { path, .. }
            | Self::DegenerateElement { path, .. }
            | Self::FoldedElement { path, .. }
            | Self::NoSurface { path, .. }
            | Self::CurvedFacet { path, .. } => path,
        }
    }
}
