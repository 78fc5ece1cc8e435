//! What moves: small meshes with their groups, and rigid bodies and masses.

use delassus::mesh::{ElementKind, Group, Mesh};

use crate::support::random::Random;
use crate::view::{Vector, View};

#[derive(Clone, Debug)]
pub enum Matter {
    Line {
        cells: usize,
    },
    Plane {
        kind: ElementKind,
        cells: [usize; 2],
        size: [f64; 2],
    },
    /// Triangles around a point.
    Fan {
        rim: usize,
    },
    Block {
        kind: ElementKind,
        cells: [usize; 3],
        size: Vector,
    },
    Rigid(Rigid),
}

#[derive(Clone, Debug)]
pub struct Rigid {
    pub dimension: usize,
    pub pieces: Vec<Piece>,
    /// Stiffness and damping between the first two, or from the first to the ground.
    pub spring: Option<[f64; 2]>,
    /// Where the first hangs: at the ground by a pin, or at the second by a bar.
    pub joint: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Rod,
    Box,
    Disk,
    Ball,
}

#[derive(Clone, Debug)]
pub struct Piece {
    pub shape: Shape,
    pub size: f64,
    pub mass: f64,
    pub position: Vector,
    pub angle: f64,
    pub velocity: Vector,
    pub spin: f64,
}

impl Rigid {
    pub fn name(index: usize) -> &'static str {
        ["a", "b", "c"][index]
    }

    fn is_ball(&self, index: usize) -> bool {
        self.dimension == 3 || self.pieces[index].shape == Shape::Ball
    }

    /// Whether two of them may touch each other.
    pub fn meet(&self, i: usize, j: usize) -> bool {
        let round = |i: usize| self.is_ball(i) || self.pieces[i].shape == Shape::Disk;
        round(i) && round(j)
    }

    /// The tables of the case.
    pub fn text(&self, view: &View) -> String {
        let vector = |x: Vector| format!("{:?}", &x[..self.dimension]);
        let mut text = String::new();
        for (i, piece) in self.pieces.iter().enumerate() {
            let Piece { shape, size, mass, position, angle, velocity, spin } = piece;
            let (name, size) = (Self::name(i), size * view.length);
            let ball = self.is_ball(i);
            let table = if ball { "mass" } else { "body" };
            text += &format!(
                "[{table}.{name}]\nmass = {:?}\nposition = {}\nvelocity = {}\n",
                mass * view.mass,
                vector(view.point(*position)),
                vector(view.vector(view.velocity(), *velocity))
            );
            if ball {
                text += &format!("radius = {:?}\n", 0.5 * size);
                continue;
            }
            // At the angle 0 all shapes are their own mirror image.
            text += &format!(
                "angle = {:?}\nspin = {:?}\n",
                view.hand() * angle + view.angle,
                view.hand() * spin / view.time
            );
            text += &match shape {
                Shape::Rod => format!("shape = \"rod\"\nlength = {size:?}\n"),
                Shape::Box => format!("shape = \"box\"\nsize = [{:?}, {size:?}]\n", 0.5 * size),
                Shape::Disk | Shape::Ball => {
                    format!("shape = \"disk\"\nradius = {:?}\n", 0.5 * size)
                }
            };
        }
        text + &self.links(view)
    }

    fn links(&self, view: &View) -> String {
        let mut text = String::new();
        let pair = self.pieces.len() > 1;
        let between = if pair { "[\"a\", \"b\"]" } else { "[\"a\", \"ground\"]" };
        if let Some([stiffness, damping]) = self.spring {
            let unit = view.mass / (view.time * view.time);
            let axis = view.direction([0.6, 0.8, 0.0]);
            text += &format!(
                "[spring.s]\nbetween = {between}\naxis = {:?}\nstiffness = {:?}\ndamping = {:?}\n",
                &axis[..self.dimension],
                stiffness * unit,
                damping * unit * view.time
            );
        }
        if self.joint && self.dimension == 2 {
            let at = view.point(self.pieces[0].position);
            text += &match pair {
                true => format!("[joint.j]\nbetween = {between}\nkind = \"bar\"\n"),
                false => {
                    format!("[joint.j]\nbetween = {between}\nkind = \"pin\"\nat = {:?}\n", &at[..2])
                }
            };
        }
        text
    }
}

impl Matter {
    pub fn dimension(&self) -> usize {
        match self {
            Self::Line { .. } => 1,
            Self::Plane { .. } | Self::Fan { .. } => 2,
            Self::Block { .. } => 3,
            Self::Rigid(rigid) => rigid.dimension,
        }
    }

    pub fn rigid(&self) -> Option<&Rigid> {
        match self {
            Self::Rigid(rigid) => Some(rigid),
            _ => None,
        }
    }

    /// Length of the edges of the cells.
    pub fn cell(&self) -> f64 {
        match self {
            Self::Line { cells } => 1.0 / *cells as f64,
            Self::Plane { cells, size, .. } => {
                (size[0] / cells[0] as f64).min(size[1] / cells[1] as f64)
            }
            Self::Fan { rim } => 3.0 / *rim as f64,
            Self::Block { cells, size, .. } => {
                (0..3).map(|i| size[i] / cells[i] as f64).fold(f64::INFINITY, f64::min)
            }
            Self::Rigid(_) => 1.0,
        }
    }

    /// The mesh, its nodes moved by up to a `jitter` of a cell and some of its simplices cut at their
    /// centres; none of rigid bodies.
    pub fn mesh(&self, jitter: f64, cuts: usize, seed: u64) -> Option<Mesh> {
        let mut random = Random::new(seed);
        let mut mesh = match self {
            Self::Line { cells } => Mesh::line(0.0, 1.0, *cells),
            Self::Plane { kind, cells, size } => Mesh::rectangle_of(*size, *cells, *kind),
            Self::Fan { rim } => fan(*rim, &mut random),
            Self::Block { kind, cells, size } => Mesh::block([0.0; 3], *size, *cells, *kind),
            Self::Rigid(_) => return None,
        };
        let reach = jitter * self.cell();
        for x in &mut mesh.points {
            x.iter_mut().take(mesh.dimension).for_each(|x| *x += reach * random.signed());
        }
        cut(&mut mesh, cuts, &mut random);
        straighten(&mut mesh);
        Some(mesh)
    }
}

/// Middles of edges lie where their edges are.
fn straighten(mesh: &mut Mesh) {
    for e in 0..mesh.element_count() {
        let kind = mesh.kinds[e];
        if kind.order() == 2 {
            let nodes = mesh.nodes_of(e).to_vec();
            for (k, [a, b]) in kind.edges().iter().enumerate() {
                let [a, b] = [*a, *b].map(|corner| mesh.points[nodes[corner] as usize]);
                let middle = nodes[kind.corners() + k] as usize;
                mesh.points[middle] = [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]));
            }
        }
    }
}

fn push(mesh: &mut Mesh, kind: ElementKind, nodes: &[u32]) -> u32 {
    mesh.kinds.push(kind);
    mesh.connectivity.extend_from_slice(nodes);
    mesh.offsets.push(mesh.connectivity.len() as u32);
    mesh.kinds.len() as u32 - 1
}

/// A polygon of `rim` edges, a multiple of four, around a point; a quarter of them is each side.
fn fan(rim: usize, random: &mut Random) -> Mesh {
    let mut mesh =
        Mesh { dimension: 2, offsets: vec![0], points: vec![[0.5, 0.5, 0.0]], ..Mesh::default() };
    for k in 0..rim {
        let angle = std::f64::consts::TAU * (k as f64 / rim as f64 - 0.375);
        let radius = 0.5 + 0.08 * random.signed();
        mesh.points.push([0.5 + radius * angle.cos(), 0.5 + radius * angle.sin(), 0.0]);
    }
    let next = |k: usize| (k % rim + 1) as u32;
    for (side, name) in ["bottom", "right", "top", "left"].into_iter().enumerate() {
        let edges = side * rim / 4..(side + 1) * rim / 4;
        let elements =
            edges.map(|k| push(&mut mesh, ElementKind::Line2, &[next(k), next(k + 1)])).collect();
        mesh.groups.insert(name.into(), Group { dimension: 1, elements, nodes: Vec::new() });
    }
    let elements = (0..rim)
        .map(|k| push(&mut mesh, ElementKind::Triangle3, &[0, next(k), next(k + 1)]))
        .collect();
    mesh.groups.insert("body".into(), Group { dimension: 2, elements, nodes: Vec::new() });
    mesh
}

/// Cuts random simplices of the body at their centres.
fn cut(mesh: &mut Mesh, count: usize, random: &mut Random) {
    for _ in 0..count {
        let body = mesh.groups["body"].elements.clone();
        let pick = (0.5 * (random.signed() + 1.0) * body.len() as f64) as usize;
        let e = body[pick.min(body.len() - 1)] as usize;
        let kind = mesh.kinds[e];
        if !matches!(kind, ElementKind::Triangle3 | ElementKind::Tetrahedron4) {
            return;
        }
        let nodes = mesh.nodes_of(e).to_vec();
        let n = nodes.len();
        let mean =
            |i: usize| nodes.iter().map(|&k| mesh.points[k as usize][i]).sum::<f64>() / n as f64;
        let centre = mesh.points.len() as u32;
        mesh.points.push([mean(0), mean(1), mean(2)]);
        let part = |corner: usize| {
            let mut part = nodes.clone();
            part[corner] = centre;
            part
        };
        mesh.connectivity[mesh.offsets[e] as usize..][..n].copy_from_slice(&part(0));
        for corner in 1..n {
            let element = push(mesh, kind, &part(corner));
            mesh.groups.get_mut("body").unwrap().elements.push(element);
        }
    }
}

/// The mesh as a file of Gmsh's, as a view has it.
pub fn msh(mesh: &Mesh, view: &View) -> String {
    let names: Vec<&String> = mesh.groups.keys().collect();
    let mut text =
        format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n", names.len());
    for (at, name) in names.iter().enumerate() {
        text += &format!("{} {} \"{name}\"\n", mesh.groups[*name].dimension, at + 1);
    }
    let place = view.places(mesh.points.len(), 1);
    let mut points = vec![[0.0; 3]; place.len()];
    place.iter().zip(&mesh.points).for_each(|(&at, x)| points[at] = view.point(*x));
    text += &format!("$EndPhysicalNames\n$Nodes\n{}\n", points.len());
    for (at, [x, y, z]) in points.iter().enumerate() {
        text += &format!("{} {x:?} {y:?} {z:?}\n", at + 1);
    }
    let mut lines = vec![String::new(); mesh.kinds.len()];
    let order = view.places(lines.len(), 2);
    for (at, name) in names.iter().enumerate() {
        for &e in &mesh.groups[*name].elements {
            let kind = mesh.kinds[e as usize];
            let mut nodes = mesh.nodes_of(e as usize).to_vec();
            if kind == ElementKind::Tetrahedron10 {
                nodes.swap(8, 9);
            }
            let nodes: Vec<String> =
                nodes.iter().map(|&n| (place[n as usize] + 1).to_string()).collect();
            let group = at + 1;
            let line = format!("{} 2 {group} {group} {}", gmsh_type(kind), nodes.join(" "));
            lines[order[e as usize]] = line;
        }
    }
    text += &format!("$EndNodes\n$Elements\n{}\n", lines.len());
    for (at, line) in lines.iter().enumerate() {
        text += &format!("{} {line}\n", at + 1);
    }
    text + "$EndElements\n"
}

fn gmsh_type(kind: ElementKind) -> u8 {
    match kind {
        ElementKind::Point1 => 15,
        ElementKind::Line2 => 1,
        ElementKind::Line3 => 8,
        ElementKind::Triangle3 => 2,
        ElementKind::Triangle6 => 9,
        ElementKind::Quadrangle4 => 3,
        ElementKind::Tetrahedron4 => 4,
        ElementKind::Tetrahedron10 => 11,
        ElementKind::Hexahedron8 => 5,
    }
}
