//! Contact points in a row: along their surface in the plane, along an axis in space.

use std::ops::Range;

use crate::results::{CandidateList, ContactRow};
use crate::units::{Dimension, Units, axis_label};
use crate::vector::distance;

/// The candidates of one contact set, or of one face of its obstacle, sorted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sole {
    /// Name of the set, and its face.
    pub name: String,
    /// Its candidates, in their order along the surface.
    pub members: Vec<usize>,
    /// Where they are along it, ascending.
    pub coordinate: Vec<f64>,
    /// Whether they follow each other along a line.
    pub is_line: bool,
    /// Half the way to the neighbours on both sides; only along a line.
    pub share: Vec<f64>,
    words: &'static str,
    dimension: Dimension,
}

impl Sole {
    /// The axis label of its coordinate.
    pub fn label(&self, units: Option<&Units>) -> String {
        axis_label(self.words, self.dimension, units)
    }

    /// The places of its connected pieces in `members`: between them there is no surface.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        let last = self.members.len();
        if !self.is_line {
            return std::iter::once(0..last).collect();
        }
        let longest = JUMP * middle_step(&self.coordinate);
        let steps = self.coordinate.windows(2).map(|pair| pair[1] - pair[0]);
        let jumps = steps.enumerate().filter(|(_, step)| *step > longest).map(|(k, _)| k + 1);
        let ends: Vec<usize> = std::iter::once(0).chain(jumps).chain([last]).collect();
        ends.windows(2).map(|ends| ends[0]..ends[1]).collect()
    }
}

/// The candidates of every contact set and face, in the order of the sets.
pub(super) fn soles_of(contacts: &CandidateList) -> Vec<Sole> {
    let key = |row: &ContactRow| (row.contact.clone(), row.face);
    let mut soles: Vec<((String, u64), Vec<usize>)> = Vec::new();
    for (c, row) in contacts.rows.iter().enumerate() {
        match soles.iter_mut().find(|(known, _)| *known == key(row)) {
            Some((_, members)) => members.push(c),
            None => soles.push((key(row), vec![c])),
        }
    }
    let name = |members: &[usize]| contacts.rows[members[0]].surface();
    soles.into_iter().map(|(_, members)| sole_of(name(&members), members, contacts)).collect()
}

fn sole_of(name: String, members: Vec<usize>, contacts: &CandidateList) -> Sole {
    let points: Vec<[f64; 3]> = members.iter().map(|&c| contacts.rows[c].point).collect();
    let is_line = contacts.dimension == 2 && members.len() > 2 && are_apart(&points);
    let order = match (is_line, contacts.dimension) {
        (true, _) => along_line(&points),
        (false, 3) if members.len() > 2 => along_axis(&points),
        _ => (0..members.len()).collect(),
    };
    let (coordinate, words, dimension) = match (is_line, contacts.dimension) {
        (true, _) => (lengths(&points, &order), "along the surface", Dimension::Length),
        (false, 3) if members.len() > 2 => {
            let axis = longest_axis(&points);
            let words = ["node, along x", "node, along y", "node, along z"][axis];
            ((1..=order.len()).map(|k| k as f64).collect(), words, Dimension::Count)
        }
        _ => (
            (1..=order.len()).map(|k| k as f64).collect::<Vec<f64>>(),
            "contact point",
            Dimension::Count,
        ),
    };
    Sole {
        name,
        members: order.iter().map(|&k| members[k]).collect(),
        share: if is_line { shares(&coordinate) } else { Vec::new() },
        coordinate,
        is_line,
        words,
        dimension,
    }
}

/// Whether no two points are in one place, as the ends of rods that start together.
fn are_apart(points: &[[f64; 3]]) -> bool {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.windows(2).all(|pair| distance(pair[0], pair[1]) > 0.0)
}

/// From the outermost point always to the nearest that is left: around a ring too.
fn along_line(points: &[[f64; 3]]) -> Vec<usize> {
    let axis = longest_axis(points);
    let first = (0..points.len()).min_by(|&a, &b| points[a][axis].total_cmp(&points[b][axis]));
    let mut order: Vec<usize> = first.into_iter().collect();
    let mut left: Vec<usize> = (0..points.len()).filter(|k| Some(*k) != first).collect();
    while let Some(&last) = order.last() {
        let to = |k: &usize| distance(points[last], points[left[*k]]);
        let Some(nearest) = (0..left.len()).min_by(|a, b| to(a).total_cmp(&to(b))) else { break };
        order.push(left.swap_remove(nearest));
    }
    order
}

/// Along the longest side of the box around them, then along the others.
fn along_axis(points: &[[f64; 3]]) -> Vec<usize> {
    let axis = longest_axis(points);
    let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
    let mut order: Vec<usize> = (0..points.len()).collect();
    let by = |a: &usize, b: &usize| {
        let at = |axis: usize| points[*a][axis].total_cmp(&points[*b][axis]);
        at(axes[0]).then(at(axes[1])).then(at(axes[2]))
    };
    order.sort_by(by);
    order
}

fn longest_axis(points: &[[f64; 3]]) -> usize {
    let side = |axis: &usize| {
        let values = points.iter().map(|point| point[*axis]);
        values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
    };
    // The first of equal ones: of two, `max_by` takes the last.
    (0..3).rev().max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0)
}

/// Length of the way from the first point to each.
fn lengths(points: &[[f64; 3]], order: &[usize]) -> Vec<f64> {
    let mut way = 0.0;
    let step = |pair: &[usize]| {
        way += distance(points[pair[0]], points[pair[1]]);
        way
    };
    std::iter::once(0.0).chain(order.windows(2).map(step)).collect()
}

/// Steps longer than this many times the middle one are jumps to another piece of the surface.
const JUMP: f64 = 4.0;

fn middle_step(coordinate: &[f64]) -> f64 {
    let mut steps: Vec<f64> = coordinate.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 2).copied().unwrap_or(0.0)
}

fn shares(coordinate: &[f64]) -> Vec<f64> {
    let steps: Vec<f64> = coordinate.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let middle = middle_step(coordinate);
    let half =
        |step: Option<&f64>| step.map_or(0.0, |&s| if s > JUMP * middle { 0.0 } else { 0.5 * s });
    let both = |k: usize| half(k.checked_sub(1).and_then(|k| steps.get(k))) + half(steps.get(k));
    (0..coordinate.len()).map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contacts(points: &[[f64; 2]]) -> CandidateList {
        let row = |&[x, y]: &[f64; 2]| ContactRow {
            contact: "floor".into(),
            node: 1,
            point: [x, y, 0.0],
            work: crate::energy::ContactWork::default(),
            normal_impulse: 0.0,
            closings: 0,
            stick_steps: 0,
            slip_steps: 0,
            face: 0,
        };
        CandidateList { dimension: 2, rows: points.iter().map(row).collect() }
    }

    #[test]
    fn two_feet_are_two_pieces() {
        let feet = [0.0, 1.0, 2.0, 40.0, 41.0, 42.0].map(|x| [x, 0.0]);
        let sole = &soles_of(&contacts(&feet))[0];
        assert_eq!(sole.pieces(), [0..3, 3..6]);
        assert_eq!(sole.share, [0.5, 1.0, 0.5, 0.5, 1.0, 0.5]);
    }

    #[test]
    fn points_of_a_line_are_sorted_and_share_its_length() {
        let sole = &soles_of(&contacts(&[[0.0, 0.0], [4.0, 0.0], [1.0, 0.0], [2.0, 0.0]]))[0];
        assert_eq!(sole.members, [0, 2, 3, 1]);
        assert_eq!(sole.coordinate, [0.0, 1.0, 2.0, 4.0]);
        assert_eq!(sole.share, [0.5, 1.0, 1.5, 1.0]);
    }

    #[test]
    fn a_ring_is_walked_around() {
        let angle = |k: u32| f64::from((5 * k) % 12) * std::f64::consts::PI / 6.0;
        let ring: Vec<[f64; 2]> = (0..12).map(|k| [angle(k).cos(), angle(k).sin()]).collect();
        let sole = &soles_of(&contacts(&ring))[0];
        let chord = 2.0 * (std::f64::consts::PI / 12.0).sin();
        let expected = (0..12).map(|k| f64::from(k) * chord);
        assert!(sole.coordinate.iter().zip(expected).all(|(s, e)| (s - e).abs() < 1e-12));
    }

    #[test]
    fn points_in_one_place_are_counted_and_have_no_length() {
        let sole = &soles_of(&contacts(&[[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))[0];
        assert_eq!((sole.is_line, &sole.coordinate[..]), (false, &[1.0, 2.0, 3.0][..]));
    }
}
