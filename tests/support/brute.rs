//! How far two convex bodies are apart, all features of one tried with all of the other: slow, short and
//! independent of how detection does it.
//!
//! A body is a core, which is a point, a segment, a polygon in the plane z = 0 or a polyhedron, and a radius
//! around it. Of two cores A and B
//!
//! ```text
//!     s(n) = min_A n·a − max_B n·b           n a unit vector from B towards A               (1)
//!     gap  = max s(n) − r_A − r_B            the distance where it is positive, else the least way apart
//! ```
//!
//! The maximum of (1) over all n is at the normal of a face, across two edges or, apart, along the way between
//! the nearest points.

use delassus::contact::detect::{Convex, Placement};

pub type Vector = [f64; 3];

pub fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn moved(x: Vector, by: f64, along: Vector) -> Vector {
    [0, 1, 2].map(|i| x[i] + by * along[i])
}

pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Which features of the two are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// A point inside of a face, or edges inside of both: detection speaks of these.
    Inside,
    /// An end of an edge or a corner, and nothing of a face: polyhedra and polygons pass each other there.
    Corner,
    /// They overlap.
    Overlap,
}

/// A body in space.
#[derive(Clone, Debug)]
pub struct Core {
    pub corners: Vec<Vector>,
    /// Outward unit normal and corners, counter-clockwise.
    pub faces: Vec<(Vector, Vec<usize>)>,
    pub edges: Vec<[usize; 2]>,
    pub radius: f64,
}

/// What is true of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub gap: f64,
    pub nearest: Nearest,
    /// The direction of the gap, from the second to the first; none where they are nearest in one point.
    pub normal: Vector,
}

impl Core {
    /// A piece where it is; `flat` if it is in the plane z = 0.
    pub fn of(shape: &Convex, placement: &Placement, flat: bool) -> Self {
        let at = |points: &[Vector]| points.iter().map(|&x| placement.to_space(x)).collect();
        let (corners, radius): (Vec<Vector>, f64) = match shape {
            Convex::Ball { center, radius } => (at(&[*center]), *radius),
            Convex::Capsule { ends, radius } => (at(ends), *radius),
            Convex::Polyhedron(solid) => (at(&solid.vertices), 0.0),
            Convex::Polygon(polygon) => (at(&polygon.vertices), 0.0),
        };
        let count = corners.len();
        let (edges, outlines): (Vec<_>, Vec<Vec<usize>>) = match shape {
            Convex::Polyhedron(solid) => (
                solid.edges.iter().map(|edge| edge.ends.map(|end| end as usize)).collect(),
                solid
                    .faces
                    .iter()
                    .map(|f| f.corners.iter().map(|&c| c as usize).collect())
                    .collect(),
            ),
            // In the plane the sides are the faces, and there are no edges.
            _ if flat && count > 1 => {
                ((0..count).map(|i| [i, (i + 1) % count]).collect(), Vec::new())
            }
            _ => ((1..count).map(|i| [i - 1, i]).collect(), Vec::new()),
        };
        let mut core = Self { corners, faces: Vec::new(), edges, radius };
        let of_face = |outline: Vec<usize>| (core.normal_around(&outline), outline);
        let faces: Vec<_> = outlines.into_iter().map(of_face).collect();
        core.faces = faces;
        if flat && count > 1 {
            let side = |[a, b]: &[usize; 2]| {
                let along = minus(core.corners[*b], core.corners[*a]);
                let size = length(along);
                ([along[1] / size, -along[0] / size, 0.0], vec![*a, *b])
            };
            core.faces = core.edges.iter().map(side).collect();
        }
        core
    }

    fn normal_around(&self, outline: &[usize]) -> Vector {
        let at = |i: usize| minus(self.corners[outline[i]], self.corners[outline[0]]);
        let mut area = [0.0; 3];
        for i in 2..outline.len() {
            area = moved(area, 1.0, cross(at(i - 1), at(i)));
        }
        let size = length(area);
        area.map(|a| a / size)
    }

    fn least(&self, n: Vector) -> f64 {
        self.corners.iter().map(|&x| dot(n, x)).fold(f64::INFINITY, f64::min)
    }

    fn most(&self, n: Vector) -> f64 {
        self.corners.iter().map(|&x| dot(n, x)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The farthest corner from a place.
    pub fn reach(&self, from: Vector) -> f64 {
        self.corners.iter().map(|&x| length(minus(x, from))).fold(0.0, f64::max)
    }

    /// Signed distance of a point from the surface of the body, the larger one outside of several faces.
    pub fn height(&self, x: Vector, flat: bool) -> f64 {
        let point = Core { corners: vec![x], faces: vec![], edges: vec![], radius: 0.0 };
        truth(&point, self, flat).gap
    }
}

/// (1), less the radii.
pub fn separation(first: &Core, second: &Core, n: Vector) -> f64 {
    first.least(n) - second.most(n) - first.radius - second.radius
}

/// Nearest points of two segments, each as its share of the way; every one of the ways to be nearest is tried.
fn segments(a: [Vector; 2], b: [Vector; 2]) -> (f64, [f64; 2]) {
    let (u, w, r) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0]));
    let share = |x: Vector, from: Vector, along: Vector| {
        let square = dot(along, along);
        if square > 0.0 { (dot(minus(x, from), along) / square).clamp(0.0, 1.0) } else { 0.0 }
    };
    let mut tries = vec![];
    for end in [0.0, 1.0] {
        let (x, y) = (moved(a[0], end, u), moved(b[0], end, w));
        tries.extend([[end, share(x, b[0], w)], [share(y, a[0], u), end]]);
    }
    let across = cross(u, w);
    let square = dot(across, across);
    if square > 1e-24 * dot(u, u) * dot(w, w) {
        let s = dot(cross(w, r), across) / square;
        let t = dot(cross(u, r), across) / square;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            tries.push([s, t]);
        }
    }
    let way = |[s, t]: [f64; 2]| length(minus(moved(a[0], s, u), moved(b[0], t, w)));
    tries
        .into_iter()
        .map(|st| (way(st), st))
        .min_by(|x, y| x.0.total_cmp(&y.0))
        .expect("four tries")
}

/// What is nearest so far.
struct Search {
    /// What is nearer than this to an end is at the end.
    margin: f64,
    distance: f64,
    nearest: Nearest,
    way: Vector,
}

impl Search {
    fn take(&mut self, distance: f64, way: Vector, inside: bool) {
        if distance < self.distance {
            (self.distance, self.way) = (distance, way);
            self.nearest = if inside { Nearest::Inside } else { Nearest::Corner };
        }
    }

    /// Corners of one over faces of the other.
    fn over_faces(&mut self, corners: &Core, faces: &Core, sign: f64, flat: bool) {
        for (normal, outline) in &faces.faces {
            let at = |i: usize| faces.corners[outline[i % outline.len()]];
            for &x in &corners.corners {
                let height = dot(*normal, minus(x, at(0)));
                // How far inside of side i: in the plane the ends of a face are its sides.
                let inside = |i: usize| {
                    let along = minus(at(i + 1), at(i));
                    let inward = if flat { along } else { cross(*normal, along) };
                    dot(inward, minus(x, at(i))) / length(inward)
                };
                let least = (0..outline.len()).map(inside).fold(f64::INFINITY, f64::min);
                // What is below by a rounding is in the face.
                if height >= -1e-6 * self.margin && least >= 0.0 {
                    self.take(height.max(0.0), normal.map(|n| sign * n), least > self.margin);
                }
            }
        }
    }
}

/// Gap of two bodies, and of which kind it is.
pub fn truth(first: &Core, second: &Core, flat: bool) -> Truth {
    let (mut best, mut normal) = (f64::NEG_INFINITY, [0.0; 3]);
    let mut try_axis = |n: Vector| {
        let apart = first.least(n) - second.most(n);
        if apart > best {
            (best, normal) = (apart, n);
        }
    };
    first.faces.iter().for_each(|(n, _)| try_axis(n.map(|n| -n)));
    second.faces.iter().for_each(|(n, _)| try_axis(*n));
    // In the plane a rod has no faces at its ends, and edges do not cross.
    let axes = |core: &Core| -> Vec<Vector> {
        let thin = flat && core.corners.len() == 2;
        thin.then(|| minus(core.corners[1], core.corners[0])).into_iter().collect()
    };
    let mut across: Vec<Vector> = axes(first);
    across.extend(axes(second));
    if !flat {
        for a in &first.edges {
            for b in &second.edges {
                let [u, w] = [(first, a), (second, b)]
                    .map(|(core, e)| minus(core.corners[e[1]], core.corners[e[0]]));
                let normal = cross(u, w);
                if length(normal) > 1e-9 * length(u) * length(w) {
                    across.push(normal);
                }
            }
        }
    }
    for axis in across {
        let size = length(axis);
        for sign in [1.0, -1.0] {
            try_axis(axis.map(|x| sign * x / size));
        }
    }
    let radii = first.radius + second.radius;
    // Of points and segments in space the difference is flat: they do not overlap.
    if best <= 0.0 && !(first.faces.is_empty() && second.faces.is_empty()) {
        return Truth { gap: best - radii, nearest: Nearest::Overlap, normal };
    }
    let size = first.reach(first.corners[0]) + second.reach(second.corners[0]);
    let margin = 1e-7 * size;
    let mut search =
        Search { margin, distance: f64::INFINITY, nearest: Nearest::Corner, way: [0.0; 3] };
    search.over_faces(first, second, 1.0, flat);
    search.over_faces(second, first, -1.0, flat);
    for &x in &first.corners {
        for &y in &second.corners {
            search.take(length(minus(x, y)), minus(x, y), false);
        }
    }
    let (points, others) = (segments_of(first), segments_of(second));
    for &a in &points {
        for &b in &others {
            let (distance, [s, t]) = segments(a, b);
            let inner = |share: f64, [from, to]: [Vector; 2]| {
                share.min(1.0 - share) * length(minus(to, from)) > margin
            };
            let ends = [(a, s), (b, t)].map(|([x, y], share)| moved(x, share, minus(y, x)));
            search.take(distance, minus(ends[0], ends[1]), inner(s, a) && inner(t, b));
        }
    }
    let size = length(search.way);
    let normal = search.way.map(|x| if size > 0.0 { x / size } else { 0.0 });
    Truth { gap: search.distance - radii, nearest: search.nearest, normal }
}

/// The edges, or the only corner.
fn segments_of(core: &Core) -> Vec<[Vector; 2]> {
    if core.edges.is_empty() {
        return vec![[core.corners[0]; 2]];
    }
    core.edges.iter().map(|edge| edge.map(|end| core.corners[end])).collect()
}
