//! Triangles of a hull that lie in one plane, joined to faces.
//!
//! A face grows from its largest triangle over all neighbours that reach no deeper than the tolerance
//!
//! ```text
//!     n·x ≥ max n·x − tolerance               n along the sum of the areas of its triangles     (1)
//! ```
//!
//! Of a convex body such a cap is a disk, so faces have one loop around them.

use std::collections::{HashMap, HashSet};

use super::lattice::LatticeFace;
use crate::vector::{cross, distance, dot, length, minus, plus, unit};

/// No face yet.
const NONE: u32 = u32::MAX;

/// The loops of corners around the faces of a hull; `None` where what is left does not close.
pub(super) fn facets(
    points: &[[f64; 3]],
    triangles: &[LatticeFace],
    tolerance: f64,
) -> Option<Vec<Vec<u32>>> {
    let mut joining = Joining::new(points, triangles, tolerance);
    let mut order: Vec<usize> = (0..triangles.len()).filter(|&t| !joining.is_needle(t)).collect();
    order.sort_by(|&s, &t| length(joining.areas[t]).total_cmp(&length(joining.areas[s])));
    for seed in order {
        if joining.face_of[seed] == NONE {
            joining.grow(seed);
        }
    }
    joining.give_away_needles()?;
    loop {
        let loops = joining.loops()?;
        match loops.iter().find(|(_, corners)| corners.len() < 3) {
            Some(&(face, _)) => joining.dissolve(face)?,
            None => {
                let loops: Vec<_> = loops.into_iter().map(|(_, corners)| corners).collect();
                return closes(&loops).then_some(loops);
            }
        }
    }
}

struct Joining<'a> {
    points: &'a [[f64; 3]],
    triangles: &'a [LatticeFace],
    tolerance: f64,
    /// Areas of the triangles, twice, as vectors.
    areas: Vec<[f64; 3]>,
    /// The face that each triangle belongs to.
    face_of: Vec<u32>,
    faces: u32,
}

impl<'a> Joining<'a> {
    fn new(points: &'a [[f64; 3]], triangles: &'a [LatticeFace], tolerance: f64) -> Self {
        let area = |triangle: &LatticeFace| {
            let [a, b, c] = triangle.corners.map(|corner| points[corner as usize]);
            cross(minus(b, a), minus(c, a))
        };
        let areas = triangles.iter().map(area).collect();
        let face_of = vec![NONE; triangles.len()];
        Self { points, triangles, tolerance, areas, face_of, faces: 0 }
    }

    fn corners(&self, t: usize) -> [[f64; 3]; 3] {
        self.triangles[t].corners.map(|corner| self.points[corner as usize])
    }

    fn edge(&self, t: usize, edge: usize) -> f64 {
        let corners = self.corners(t);
        distance(corners[edge], corners[(edge + 1) % 3])
    }

    /// Whether a triangle is so thin that its normal means nothing.
    fn is_needle(&self, t: usize) -> bool {
        let longest = (0..3).map(|edge| self.edge(t, edge)).fold(0.0, f64::max);
        length(self.areas[t]) <= 2.0 * self.tolerance * longest
    }

    /// Makes a face of all that lies in the plane of a triangle, and then in the plane of all that.
    fn grow(&mut self, seed: usize) {
        let Some(mut normal) = unit(self.areas[seed]) else { return };
        let mut face = vec![seed];
        // The mean plane of a face is surer than that of its largest triangle.
        for _ in 0..4 {
            let larger = self.cap(seed, normal, &face);
            if larger.len() <= face.len() || !larger.contains(&seed) {
                break;
            }
            face = larger;
            let area = face.iter().fold([0.0; 3], |sum, &t| plus(sum, self.areas[t]));
            let Some(mean) = unit(area) else { break };
            normal = mean;
        }
        for t in face {
            self.face_of[t] = self.faces;
        }
        self.faces += 1;
    }

    /// The free triangles around `seed` that reach no deeper than (1) below the outermost point of `face`, or
    /// `face` again where they reach out of its plane.
    fn cap(&self, seed: usize, normal: [f64; 3], face: &[usize]) -> Vec<usize> {
        let origin = self.corners(seed)[0];
        let height = |x: [f64; 3]| dot(normal, minus(x, origin));
        let top = |t: usize| self.corners(t).map(height).into_iter().fold(f64::MIN, f64::max);
        let bottom = |t: usize| self.corners(t).map(height).into_iter().fold(f64::MAX, f64::min);
        let highest = face.iter().map(|&t| top(t)).fold(f64::MIN, f64::max);
        let mut found = vec![seed];
        let mut seen = HashSet::from([seed]);
        let mut next = 0;
        while next < found.len() {
            let at = found[next];
            next += 1;
            for there in self.triangles[at].across.map(|t| t as usize) {
                let is_free = self.face_of[there] == NONE;
                if is_free && bottom(there) >= highest - self.tolerance && seen.insert(there) {
                    if top(there) > highest + self.tolerance {
                        return face.to_vec();
                    }
                    found.push(there);
                }
            }
        }
        found
    }

    /// Gives needles that are in no face to the one across their longest edge, or to any.
    fn give_away_needles(&mut self) -> Option<()> {
        let mut left: Vec<usize> =
            (0..self.face_of.len()).filter(|&t| self.face_of[t] == NONE).collect();
        while !left.is_empty() {
            let before = left.len();
            for longest_only in [true, false] {
                left.retain(|&t| {
                    let mut edges = [0, 1, 2];
                    edges.sort_by(|&e, &f| self.edge(t, f).total_cmp(&self.edge(t, e)));
                    let count = if longest_only { 1 } else { 3 };
                    let across = edges[..count].iter().map(|&e| self.triangles[t].across[e]);
                    let face =
                        across.map(|there| self.face_of[there as usize]).find(|&f| f != NONE);
                    self.face_of[t] = face.unwrap_or(NONE);
                    face.is_none()
                });
                if left.len() < before {
                    break;
                }
            }
            if left.len() == before {
                return None;
            }
        }
        Some(())
    }

    /// Gives all of a face to that neighbour with which it shares most of its boundary.
    fn dissolve(&mut self, face: u32) -> Option<()> {
        let mut shared: HashMap<u32, f64> = HashMap::new();
        for t in (0..self.face_of.len()).filter(|&t| self.face_of[t] == face) {
            for edge in 0..3 {
                let other = self.face_of[self.triangles[t].across[edge] as usize];
                if other != face {
                    *shared.entry(other).or_default() += self.edge(t, edge);
                }
            }
        }
        let most = shared.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        let heir = *most?.0;
        self.face_of.iter_mut().filter(|of| **of == face).for_each(|of| *of = heir);
        Some(())
    }

    /// The loops around the faces, of those points where three faces meet; `None` where a face has several.
    fn loops(&self) -> Option<Vec<(u32, Vec<u32>)>> {
        let mut around: Vec<(u32, u32)> = Vec::with_capacity(3 * self.face_of.len());
        let mut ways: Vec<(u32, u32, u32)> = Vec::new();
        for (t, triangle) in self.triangles.iter().enumerate() {
            let face = self.face_of[t];
            for edge in 0..3 {
                let (a, b) = (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
                around.push((a, face));
                if self.face_of[triangle.across[edge] as usize] != face {
                    ways.push((face, a, b));
                }
            }
        }
        around.sort_unstable();
        around.dedup();
        let meeting = around.chunk_by(|one, next| one.0 == next.0).filter(|faces| faces.len() > 2);
        let is_corner: HashSet<u32> = meeting.map(|faces| faces[0].0).collect();
        ways.sort_unstable();
        let mut loops = Vec::new();
        for boundary in ways.chunk_by(|one, next| one.0 == next.0) {
            let next_of: HashMap<u32, u32> = boundary.iter().map(|&(_, a, b)| (a, b)).collect();
            let (mut at, mut steps, mut corners) = (boundary[0].1, 0, Vec::new());
            loop {
                if is_corner.contains(&at) {
                    corners.push(at);
                }
                at = *next_of.get(&at)?;
                steps += 1;
                if at == boundary[0].1 {
                    break;
                }
                if steps > boundary.len() {
                    return None;
                }
            }
            if steps != boundary.len() {
                return None;
            }
            loops.push((boundary[0].0, corners));
        }
        Some(loops)
    }
}

/// Whether every edge has a face on each side, and V − E + F = 2.
fn closes(loops: &[Vec<u32>]) -> bool {
    let mut corners: Vec<u32> = loops.concat();
    corners.sort_unstable();
    corners.dedup();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for corners in loops {
        let after = corners.iter().cycle().skip(1);
        edges.extend(corners.iter().zip(after).map(|(&a, &b)| (a, b)));
    }
    edges.sort_unstable();
    let is_paired = |&(a, b): &(u32, u32)| edges.binary_search(&(b, a)).is_ok();
    let count = edges.len();
    let unique = edges.windows(2).all(|pair| pair[0] != pair[1]);
    unique && edges.iter().all(is_paired) && 2 * (corners.len() + loops.len()) == count + 4
}
