//! A mesh as its file tells it, by numbers in the file, and how it becomes one of indices.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::path::Path;

use super::cursor::Cursor;
use super::error::MeshError;
use super::{ElementKind, Group, Mesh};

const LOST_GROUPS: &str = "no element is in a physical group although the file names some; format 2.2 loses them \
    with Mesh.SaveAll = 1: save the mesh without it or as 4.1";

/// Elements of one kind on one entity, in the same groups.
#[derive(Debug)]
pub(super) struct ElementBlock {
    /// Kind of all of them.
    pub kind: ElementKind,
    /// Number of the entity, 0 if unknown.
    pub entity: i32,
    /// Physical groups; format 4.1 leaves them to the entity.
    pub groups: Vec<u32>,
    /// Numbers of the elements.
    pub tags: Vec<u64>,
    /// Numbers of their nodes, one element after the other.
    pub nodes: Vec<u64>,
}

impl ElementBlock {
    /// A block without elements.
    pub fn new(kind: ElementKind, entity: i32, groups: Vec<u32>) -> Self {
        Self { kind, entity, groups, tags: Vec::new(), nodes: Vec::new() }
    }
}

/// Everything that the sections of a file give.
#[derive(Debug, Default)]
pub(super) struct RawMesh {
    /// Name of each physical group that has one, by dimension and tag.
    pub names: BTreeMap<(usize, u32), String>,
    /// Physical groups of each entity, by dimension and tag; empty in format 2.2.
    pub entities: HashMap<(usize, i32), Vec<u32>>,
    /// Elements in the file's order.
    pub blocks: Vec<ElementBlock>,
    /// Whether an element in several groups is listed once for each, as format 2.2 does.
    pub repeats_per_group: bool,
    node_tags: Vec<u64>,
    points: Vec<[f64; 3]>,
}

impl RawMesh {
    /// Makes room for `count` nodes, which must be known to fit the file.
    pub fn reserve_nodes(&mut self, count: usize) {
        self.node_tags.reserve(count);
        self.points.reserve(count);
    }

    /// Adds a node that was just read.
    pub fn push_node(
        &mut self,
        tag: u64,
        point: [f64; 3],
        cursor: &Cursor,
    ) -> Result<(), MeshError> {
        if !point.iter().all(|coordinate| coordinate.is_finite()) {
            return Err(MeshError::NotFinite {
                place: cursor.place(),
                node: tag,
                coordinates: point,
            });
        }
        self.node_tags.push(tag);
        self.points.push(point);
        Ok(())
    }

    /// The last block if it is of this sort, else a new one.
    pub fn block_for(
        &mut self,
        kind: ElementKind,
        entity: i32,
        groups: &[u32],
    ) -> &mut ElementBlock {
        let fits = |block: &ElementBlock| {
            block.kind == kind && block.entity == entity && block.groups == groups
        };
        if !self.blocks.last().is_some_and(fits) {
            self.blocks.push(ElementBlock::new(kind, entity, groups.to_vec()));
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// The mesh by indices, in the file's order; groups have their elements only.
    pub fn assemble(mut self, path: &Path) -> Result<Mesh, MeshError> {
        self.check_size(path)?;
        self.hand_down_groups(path)?;
        let names = GroupNames::new(&self, path)?;
        let index = NodeIndex::new(&self.node_tags, path)?;
        let dimension = self.blocks.iter().map(|block| block.kind.dimension()).max().unwrap_or(0);
        let mut mesh = Mesh { dimension, offsets: vec![0], ..Mesh::default() };
        for (&(dimension, _), name) in &names.0 {
            mesh.groups.insert(name.clone(), Group { dimension, ..Group::default() });
        }
        let mut elements = ElementMerger::new(self.repeats_per_group, path);
        for block in &self.blocks {
            let indices = elements.add_block(block, &index, &mut mesh)?;
            for &physical in &block.groups {
                let name = &names.0[&(block.kind.dimension(), physical)];
                mesh.groups.entry(name.clone()).or_default().elements.extend(&indices);
            }
        }
        if let Some(element) = first_repeated(&mesh.element_tags) {
            return Err(MeshError::DuplicateElement { path: path.to_path_buf(), element });
        }
        if self.lost_groups() {
            mesh.notices.push(LOST_GROUPS.to_string());
        }
        mesh.points = self.points;
        mesh.node_tags = self.node_tags;
        Ok(mesh)
    }

    /// Gmsh does not write physical groups to format 2.2 if it is to save all entities.
    fn lost_groups(&self) -> bool {
        self.repeats_per_group
            && !self.names.is_empty()
            && self.blocks.iter().all(|block| block.groups.is_empty())
    }

    fn check_size(&self, path: &Path) -> Result<(), MeshError> {
        let references = self.blocks.iter().map(|block| block.nodes.len()).sum();
        for (things, count) in [("nodes", self.points.len()), ("nodes of elements", references)] {
            if u32::try_from(count).is_err() {
                return Err(MeshError::TooLarge { path: path.to_path_buf(), things, count });
            }
        }
        Ok(())
    }

    /// Gives each block the groups of its entity, where the file has entities.
    fn hand_down_groups(&mut self, path: &Path) -> Result<(), MeshError> {
        if self.entities.is_empty() {
            return Ok(());
        }
        for block in &mut self.blocks {
            let dimension = block.kind.dimension();
            match (self.entities.get(&(dimension, block.entity)), block.tags.first()) {
                (Some(groups), _) => block.groups.clone_from(groups),
                (None, None) => {}
                (None, Some(&element)) => {
                    let path = path.to_path_buf();
                    return Err(MeshError::MissingEntity {
                        path,
                        element,
                        dimension,
                        entity: block.entity,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Name of every physical group, by dimension and tag; each name once.
struct GroupNames(BTreeMap<(usize, u32), String>);

impl GroupNames {
    fn new(raw: &RawMesh, path: &Path) -> Result<Self, MeshError> {
        let mut names = raw.names.clone();
        for block in &raw.blocks {
            for &tag in &block.groups {
                let dimension = block.kind.dimension();
                names.entry((dimension, tag)).or_insert_with(|| format!("{dimension}:{tag}"));
            }
        }
        let mut keys = BTreeMap::new();
        for (&(dimension, tag), name) in &names {
            let second = format!("{dimension}:{tag}");
            if let Some(first) = keys.insert(name, second.clone()) {
                let (path, name) = (path.to_path_buf(), name.clone());
                return Err(MeshError::AmbiguousGroup { path, name, first, second });
            }
        }
        Ok(Self(names))
    }
}

/// From numbers in the file, which may be sparse and huge, to indices.
struct NodeIndex {
    sorted: Vec<(u64, u32)>,
}

impl NodeIndex {
    fn new(tags: &[u64], path: &Path) -> Result<Self, MeshError> {
        let mut sorted: Vec<(u64, u32)> = tags.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                Err(MeshError::DuplicateNode { path: path.to_path_buf(), node: pair[0].0 })
            }
            None => Ok(Self { sorted }),
        }
    }

    fn find(&self, tag: u64) -> Option<u32> {
        let smallest = self.sorted.first()?.0;
        let guess = usize::try_from(tag.checked_sub(smallest)?).ok()?;
        match self.sorted.get(guess) {
            // Numbers without gaps, as Gmsh writes them, need no search.
            Some(&(found, index)) if found == tag => Some(index),
            _ => {
                let position = self.sorted.binary_search_by_key(&tag, |pair| pair.0).ok()?;
                Some(self.sorted[position].1)
            }
        }
    }
}

/// The nodes of an element in ascending order, filled up with the largest number.
type NodeSet = [u32; ElementKind::MOST_NODES];

fn node_set(nodes: &[u32]) -> NodeSet {
    let mut set = [u32::MAX; ElementKind::MOST_NODES];
    set[..nodes.len()].copy_from_slice(nodes);
    set[..nodes.len()].sort_unstable();
    set
}

/// Adds elements to a mesh and finds those that are already there.
struct ElementMerger<'a> {
    path: &'a Path,
    repeats_per_group: bool,
    hasher: RandomState,
    /// Element and its entity by the hash of its kind and nodes, or by the next number that is free.
    known: HashMap<u64, (u32, i32)>,
}

impl<'a> ElementMerger<'a> {
    fn new(repeats_per_group: bool, path: &'a Path) -> Self {
        Self { path, repeats_per_group, hasher: RandomState::new(), known: HashMap::new() }
    }

    /// Adds the elements of a block and gives their indices.
    fn add_block(
        &mut self,
        block: &ElementBlock,
        index: &NodeIndex,
        mesh: &mut Mesh,
    ) -> Result<Vec<u32>, MeshError> {
        let mut indices = Vec::with_capacity(block.tags.len());
        for (&element, tags) in block.tags.iter().zip(block.nodes.chunks_exact(block.kind.nodes()))
        {
            let mut nodes = [0; ElementKind::MOST_NODES];
            let nodes = &mut nodes[..tags.len()];
            for (node, &tag) in nodes.iter_mut().zip(tags) {
                let missing =
                    || MeshError::MissingNode { path: self.path.to_path_buf(), element, node: tag };
                *node = index.find(tag).ok_or_else(missing)?;
            }
            block.kind.reorder_from_gmsh(nodes);
            indices.push(self.add(element, block, nodes, mesh)?);
        }
        Ok(indices)
    }

    /// Adds one element, or finds it if it repeats another one for a further group.
    fn add(
        &mut self,
        tag: u64,
        block: &ElementBlock,
        nodes: &[u32],
        mesh: &mut Mesh,
    ) -> Result<u32, MeshError> {
        let added = mesh.kinds.len() as u32;
        let (earlier, entity) = self.find_or_insert(block, nodes, mesh);
        if earlier != added {
            let first = mesh.element_tags[earlier as usize];
            if self.repeats_per_group && (first == tag || entity == block.entity) {
                return Ok(earlier);
            }
            let path = self.path.to_path_buf();
            if first == tag {
                return Err(MeshError::DuplicateElement { path, element: tag });
            }
            // Below the highest dimension elements may lie on each other: they carry no mass.
            if mesh.dimension > 0 && block.kind.dimension() == mesh.dimension {
                return Err(MeshError::OverlappingElements { path, first, second: tag });
            }
        }
        mesh.kinds.push(block.kind);
        mesh.element_tags.push(tag);
        mesh.connectivity.extend_from_slice(nodes);
        mesh.offsets.push(mesh.connectivity.len() as u32);
        Ok(added)
    }

    /// The element of the block's kind on these nodes, and its entity; if there is none, the next one.
    fn find_or_insert(&mut self, block: &ElementBlock, nodes: &[u32], mesh: &Mesh) -> (u32, i32) {
        let set = node_set(nodes);
        let mut key = self.hasher.hash_one((block.kind, &set[..nodes.len()]));
        loop {
            match self.known.entry(key) {
                Entry::Vacant(free) => {
                    return *free.insert((mesh.kinds.len() as u32, block.entity));
                }
                Entry::Occupied(taken) => {
                    let e = taken.get().0 as usize;
                    if mesh.kinds[e] == block.kind && node_set(mesh.nodes_of(e)) == set {
                        return *taken.get();
                    }
                }
            }
            key = key.wrapping_add(1);
        }
    }
}

/// The smallest number that stands in the list more than once.
fn first_repeated(tags: &[u64]) -> Option<u64> {
    let mut sorted = tags.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_and_huge_node_numbers_are_found() {
        let tags = [u64::MAX, 7, 1 << 40, 8];
        let index = NodeIndex::new(&tags, Path::new("sparse.msh")).unwrap();
        for (position, &tag) in tags.iter().enumerate() {
            assert_eq!(index.find(tag), Some(position as u32), "tag {tag}");
        }
        for missing in [0, 6, 9, 10, (1 << 40) - 1, u64::MAX - 1] {
            assert_eq!(index.find(missing), None, "tag {missing}");
        }
    }

    #[test]
    fn an_index_of_no_nodes_finds_nothing() {
        let index = NodeIndex::new(&[], Path::new("empty.msh")).unwrap();
        assert_eq!(index.find(0), None);
    }

    #[test]
    fn the_smallest_repeated_number_is_found() {
        assert_eq!(first_repeated(&[9, 3, 5, 9, 5]), Some(5));
        assert_eq!(first_repeated(&[9, 3, 5]), None);
    }
}
