//! Cone problems of rigid bodies under gravity: walls, towers, packings, arches.
//!
//! ```text
//!     u = H v,     W = H M⁻¹ Hᵀ,     b = H (v + h g)                                         (1)
//! ```
//!
//! with six velocities per body and, per contact and body, the rows ± (d, r × d) of H for the normal
//! and the tangents d, at r from the centre of mass. z is up; in the plane everything lies in xz.

use std::collections::BTreeSet;

use delassus::contact::{BlockColumns, ConeProblem};

use super::random::Random;

type Vector = [f64; 3];

/// Step and gravity: their product alone enters (1), as a unit of velocity.
const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.81;
/// Of stone and brick.
const DENSITY: f64 = 2000.0;

const X: Vector = [1.0, 0.0, 0.0];
const Y: Vector = [0.0, 1.0, 0.0];
const Z: Vector = [0.0, 0.0, 1.0];

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    pub mass: f64,
    /// I⁻¹ about the centre of mass, in the axes of space.
    pub inverse_inertia: [Vector; 3],
    pub centre: Vector,
    /// Of the centre of mass, before the step.
    pub velocity: Vector,
    /// Angular velocity before the step.
    pub spin: Vector,
}

/// A point where two bodies touch, or a body and the ground.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The body the normal points out of; `None` is the ground.
    pub from: Option<usize>,
    /// The body it points into.
    pub into: usize,
    pub point: Vector,
    /// Normal, then tangents.
    pub frame: [Vector; 3],
}

/// Bodies that touch.
#[derive(Clone, Debug)]
pub struct Assembly {
    pub dimension: usize,
    pub bodies: Vec<Body>,
    pub touches: Vec<Touch>,
    /// Coulomb's coefficient of every contact.
    pub mu: f64,
    pub ground_velocity: Vector,
}

impl Assembly {
    fn new(dimension: usize, mu: f64) -> Self {
        let (bodies, touches) = (Vec::new(), Vec::new());
        Self { dimension, bodies, touches, mu, ground_velocity: [0.0; 3] }
    }

    /// With another coefficient of friction.
    pub fn with_friction(self, mu: f64) -> Self {
        Self { mu, ..self }
    }

    /// The ground moves along x at `speed`, in units of what a step of gravity adds. Contacts with the
    /// ground slip while those above are torn between slip and stick: the friction of the lowest
    /// layer, known in direction only, drives all the others.
    pub fn dragged(self, speed: f64) -> Self {
        Self { ground_velocity: scale(speed * STEP * GRAVITY, X), ..self }
    }

    /// The cone problem of one step.
    pub fn problem(&self) -> ConeProblem {
        let (d, contacts) = (self.dimension, self.touches.len());
        let mut at_body = vec![Vec::new(); self.bodies.len()];
        let mut b = Vec::with_capacity(d * contacts);
        for (alpha, touch) in self.touches.iter().enumerate() {
            let sides = [(touch.from, -1.0), (Some(touch.into), 1.0)];
            for (body, sign) in sides.into_iter().filter_map(|(body, s)| Some((body?, s))) {
                at_body[body].push((alpha, sign));
            }
            let below = touch.from.map_or(self.ground_velocity, |body| self.free(body, touch));
            let relative = sub(self.free(touch.into, touch), below);
            b.extend((0..d).map(|i| dot(touch.frame[i], relative)));
        }
        let pairs = at_body.iter().enumerate().flat_map(|(body, ends)| {
            ends.iter().flat_map(move |&one| ends.iter().map(move |&other| (body, one, other)))
        });
        let entries = pairs.flat_map(|(body, one, other)| self.coupling(body, one, other));
        let w = BlockColumns::from_entries(d, contacts, entries);
        ConeProblem { w: w.into(), b, mu: vec![self.mu; contacts] }
    }

    /// Velocity of the point of a body after a step without contact.
    fn free(&self, body: usize, touch: &Touch) -> Vector {
        let body = &self.bodies[body];
        let falling = sub(body.velocity, scale(STEP * GRAVITY, Z));
        add(falling, cross(body.spin, sub(touch.point, body.centre)))
    }

    /// What two contacts of a body add to W: ± d·d′/m + (r × d)·I⁻¹(r′ × d′).
    fn coupling(
        &self,
        body: usize,
        (alpha, sign): (usize, f64),
        (beta, other_sign): (usize, f64),
    ) -> impl Iterator<Item = (usize, usize, f64)> {
        let (d, body) = (self.dimension, &self.bodies[body]);
        let (one, other) = (&self.touches[alpha], &self.touches[beta]);
        let turn = |touch: &Touch, i: usize| cross(sub(touch.point, body.centre), touch.frame[i]);
        (0..d * d).map(move |k| {
            let (i, j) = (k / d, k % d);
            let spin = body.inverse_inertia.map(|row| dot(row, turn(other, j)));
            let push = dot(one.frame[i], other.frame[j]) / body.mass;
            let value = sign * other_sign * (push + dot(turn(one, i), spin));
            (d * alpha + i, d * beta + j, value)
        })
    }

    /// Adds a box at rest, with these edges along these axes; returns its number.
    fn push_box(
        &mut self,
        density: f64,
        centre: Vector,
        axes: [Vector; 3],
        edges: Vector,
    ) -> usize {
        let mass = density * edges.iter().product::<f64>();
        let square = edges.map(|edge| edge * edge);
        let total: f64 = square.iter().sum();
        let inertia = square.map(|own| mass * (total - own) / 12.0);
        let entry =
            |i: usize, j: usize| (0..3).map(|k| axes[k][i] * axes[k][j] / inertia[k]).sum::<f64>();
        let inverse_inertia = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
        let (velocity, spin) = ([0.0; 3], [0.0; 3]);
        self.bodies.push(Body { mass, inverse_inertia, centre, velocity, spin });
        self.bodies.len() - 1
    }

    /// Four contacts at the corners of a horizontal rectangle.
    fn push_bed(&mut self, from: Option<usize>, into: usize, x: [f64; 2], depth: f64, z: f64) {
        for corner in 0..4 {
            let y = if corner / 2 == 0 { -0.5 } else { 0.5 } * depth;
            let point = [x[corner % 2], y, z];
            self.touches.push(Touch { from, into, point, frame: [Z, X, Y] });
        }
    }
}

/// Running-bond wall on the ground: full bricks, and in every other row half bricks at the ends. Four
/// contacts under every overlap of two bricks.
///
/// Hard because six velocities of a brick meet up to 96 impulse components: W is singular, impulses
/// are far from unique, and as inner contacts have b = 0 at rest the weight must travel from row to
/// row, one per sweep, with the error of the ground's contacts alone as its scale.
pub fn wall(rows: usize, columns: usize) -> Assembly {
    let [length, depth, height] = [0.25, 0.12, 0.06];
    let mut wall = Assembly::new(3, 0.6);
    let mut below: Vec<(Option<usize>, [f64; 2])> = vec![(None, [0.0, columns as f64 * length])];
    for row in 0..rows {
        let joints: Vec<f64> = match row % 2 {
            0 => (0..=columns).map(|k| k as f64).collect(),
            _ => {
                let inner = (0..columns).map(|k| k as f64 + 0.5);
                [0.0].into_iter().chain(inner).chain([columns as f64]).collect()
            }
        };
        let mut bricks = Vec::new();
        for ends in joints.windows(2).map(|ends| [ends[0] * length, ends[1] * length]) {
            let centre = [0.5 * (ends[0] + ends[1]), 0.0, (row as f64 + 0.5) * height];
            let edges = [ends[1] - ends[0], depth, height];
            let brick = wall.push_box(DENSITY, centre, [X, Y, Z], edges);
            for &(from, under) in &below {
                let overlap = [ends[0].max(under[0]), ends[1].min(under[1])];
                if overlap[1] - overlap[0] > 0.1 * length {
                    wall.push_bed(from, brick, overlap, depth, row as f64 * height);
                }
            }
            bricks.push((Some(brick), ends));
        }
        below = bricks;
    }
    wall
}

/// Stack of `boxes` equal cubes on the ground with four corner contacts under each; `boxes` = 1 is the
/// resting cube. The mass grows from 1 at the bottom to `mass_ratio` at the top.
///
/// Hard because information moves one box per sweep and a heavy box on light ones makes the sweeps
/// contract by 1 − O(1/`mass_ratio`) only; every interface carries 12 impulse components for six.
pub fn tower(boxes: usize, mass_ratio: f64) -> Assembly {
    let edge = 0.1;
    let mut tower = Assembly::new(3, 0.5);
    for k in 0..boxes {
        let share = k as f64 / (boxes.max(2) - 1) as f64;
        let (density, bottom) = (DENSITY * mass_ratio.powf(share), k as f64 * edge);
        let centre = [0.0, 0.0, bottom + 0.5 * edge];
        let cube = tower.push_box(density, centre, [X, Y, Z], [edge; 3]);
        tower.push_bed(k.checked_sub(1), cube, [-0.5 * edge, 0.5 * edge], edge, bottom);
    }
    tower
}

/// Joints of a semicircular arch of `blocks` voussoirs between fixed springers, four contacts each.
/// `thickness` is a share of the mean radius: above about 0.107 a line of thrust fits into it and the arch
/// can stand, below it must fall.
///
/// Hard because normals turn by 180° along the chain, so that friction and thrust hold each other:
/// the block at the crown rests on the joints by friction and wedging alone, with as many null
/// vectors of W as there are joints in excess. Near the critical thickness or with μ near 0.3 it is at
/// the edge between standing and falling.
pub fn arch(blocks: usize, thickness: f64, mu: f64) -> Assembly {
    let (radius, depth) = (1.0, 0.3);
    let turn = std::f64::consts::PI / blocks as f64;
    let radial = |angle: f64| [angle.cos(), 0.0, angle.sin()];
    let along = |angle: f64| [-angle.sin(), 0.0, angle.cos()];
    let mut arch = Assembly::new(3, mu);
    for k in 0..blocks {
        let middle = (k as f64 + 0.5) * turn;
        let axes = [radial(middle), Y, along(middle)];
        let edges = [thickness * radius, depth, turn * radius];
        arch.push_box(DENSITY, scale(radius, radial(middle)), axes, edges);
    }
    for joint in 0..=blocks {
        let angle = joint as f64 * turn;
        // The last springer is the ground too: its normal points back into the last block.
        let (from, into, up) = match joint.checked_sub(1) {
            None => (None, 0, 1.0),
            Some(last) if joint == blocks => (None, last, -1.0),
            Some(before) => (Some(before), joint, 1.0),
        };
        let frame = [scale(up, along(angle)), radial(angle), scale(up, Y)];
        for corner in 0..4 {
            let side = |bit: usize| if bit == 0 { -0.5 } else { 0.5 };
            let out = scale(radius * (1.0 + side(corner % 2) * thickness), radial(angle));
            let point = add(out, scale(side(corner / 2) * depth, Y));
            arch.touches.push(Touch { from, into, point, frame });
        }
    }
    arch
}

/// `balls` spheres (`dimension` 3) or disks (2) of unlike radii, pushed apart and down into a box
/// until they nearly touch, then falling at about a hundred steps of gravity with random velocities.
///
/// Hard because it is just about isostatic: hardly a contact is redundant, each is stick, slip or open
/// by a small margin, force chains cross the whole packing, and in the plane large μ has several
/// solutions.
pub fn packing(balls: usize, dimension: usize, seed: u64) -> Assembly {
    let mut random = Random::new(seed);
    let radii: Vec<f64> = (0..balls).map(|_| 1.0 + 0.25 * random.signed()).collect();
    let half = 0.8 * (balls as f64).powf(1.0 / dimension as f64) + 1.25;
    let mut centres: Vec<Vector> = (0..balls)
        .map(|_| {
            let [x, y, z] = std::array::from_fn(|_| half * random.signed());
            [x, if dimension == 3 { y } else { 0.0 }, 1.5 * (z + half)]
        })
        .collect();
    settle(&mut centres, &radii, half);
    let mut packing = Assembly::new(dimension, 0.3);
    for (&centre, &radius) in centres.iter().zip(&radii) {
        let mass = DENSITY * radius.powi(dimension as i32);
        let inertia = mass * radius * radius * if dimension == 3 { 0.4 } else { 0.5 };
        let inverse_inertia = [X, Y, Z].map(|axis| scale(1.0 / inertia, axis));
        let fall = 100.0 * STEP * GRAVITY;
        let mut velocity = std::array::from_fn(|_| 0.3 * fall * random.signed());
        velocity[2] -= fall;
        if dimension == 2 {
            velocity[1] = 0.0;
        }
        let spin = scale(0.3 * fall / radius * random.signed(), Y);
        packing.bodies.push(Body { mass, inverse_inertia, centre, velocity, spin });
    }
    packing.touches = near_touches(&centres, &radii, half, dimension);
    packing
}

/// Gap, as a share of the mean radius, below which balls count as touching.
const NEAR: f64 = 0.05;

/// Lets balls sink a little and pushes those that overlap apart, again and again.
fn settle(centres: &mut [Vector], radii: &[f64], half: f64) {
    let rounds = 300;
    for round in 0..rounds {
        let sink = 0.1 * (1.0 - f64::from(round) / f64::from(rounds));
        centres.iter_mut().for_each(|centre| centre[2] -= sink);
        for i in 0..centres.len() {
            for j in 0..i {
                let apart = sub(centres[i], centres[j]);
                let (reach, distance) = (radii[i] + radii[j], dot(apart, apart).sqrt());
                if distance < reach && distance > 0.0 {
                    let push = scale(0.5 * (reach - distance) / distance, apart);
                    centres[i] = add(centres[i], push);
                    centres[j] = sub(centres[j], push);
                }
            }
            let room = half - radii[i];
            let [x, y, z] = centres[i];
            centres[i] = [x.clamp(-room, room), y.clamp(-room, room), z.max(radii[i])];
        }
    }
}

/// Contacts of balls with each other, the floor and the walls.
fn near_touches(centres: &[Vector], radii: &[f64], half: f64, dimension: usize) -> Vec<Touch> {
    let mut touches = Vec::new();
    let sides =
        [(Z, 0.0), (X, -half), (scale(-1.0, X), -half), (Y, -half), (scale(-1.0, Y), -half)];
    for (i, &centre) in centres.iter().enumerate() {
        let walls = if dimension == 3 { &sides[..] } else { &sides[..3] };
        for &(normal, offset) in walls {
            if dot(centre, normal) - offset - radii[i] < NEAR {
                let point = sub(centre, scale(radii[i], normal));
                touches.push(Touch { from: None, into: i, point, frame: frame(normal) });
            }
        }
        for j in 0..i {
            let apart = sub(centre, centres[j]);
            let distance = dot(apart, apart).sqrt();
            if distance - radii[i] - radii[j] < NEAR {
                let normal = scale(1.0 / distance, apart);
                let point = add(centres[j], scale(radii[j], normal));
                touches.push(Touch { from: Some(j), into: i, point, frame: frame(normal) });
            }
        }
    }
    touches
}

/// Normal and two tangents, the first in xz if the normal is.
fn frame(normal: Vector) -> [Vector; 3] {
    let helper = if normal[1].abs() < 0.8 { Y } else { X };
    let first = cross(helper, normal);
    let first = scale(1.0 / dot(first, first).sqrt(), first);
    [normal, first, cross(normal, first)]
}

/// Bodies that some contact touches.
pub fn touched(assembly: &Assembly) -> usize {
    let ends = assembly.touches.iter().flat_map(|touch| [touch.from, Some(touch.into)]);
    ends.flatten().collect::<BTreeSet<usize>>().len()
}

fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

fn scale(s: f64, a: Vector) -> Vector {
    a.map(|x| s * x)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
