//! The forces between bodies at a time: lines from centre to centre over the contact, as wide as the normal force.

use std::collections::BTreeMap;

use super::{Drawing, DrawnRun, Lack};
use crate::error::Error;
use crate::plot::{Curve, CurveKind, Figure, Panel};
use crate::results::{Array, FrameData, Frames};
use crate::units::{Dimension, axis_label};
use crate::vector::{dot, plus};

/// Widths of lines, in half pixels; a force is drawn with the share of the widest that it is of the largest force.
const WIDEST: u8 = 14;
/// Forces below this share of the largest are not drawn.
const LEAST: f64 = 1e-3;
/// More outlines than these hide the forces.
const MOST_OUTLINES: usize = 40_000;

/// A contact that pushes.
struct ForceLine {
    /// From a centre, or from the place where there is none, over the place to the other.
    points: Vec<[f64; 3]>,
    force: f64,
}

/// What stands where at the time of a frame.
struct ForceFrame {
    time: f64,
    lines: Vec<ForceLine>,
    outlines: Vec<[[f64; 3]; 2]>,
}

/// The picture at the frame that is nearest to a time, or at the last one that has a force.
pub(super) fn forces(run: &DrawnRun, time: Option<f64>) -> Result<Result<Drawing, Lack>, Error> {
    let (Some(points), Some(fields)) = (&run.frames, run.results.field_frames()?) else {
        return Ok(Err(Lack::Frames));
    };
    let fields = fields.up_to(points.len());
    let Some(frame) = chosen(points, &fields, time)? else { return Ok(Err(Lack::Frames)) };
    Ok(Ok(drawn(run, &frame)))
}

fn chosen(
    points: &Frames,
    fields: &Frames,
    time: Option<f64>,
) -> Result<Option<ForceFrame>, Error> {
    let times = fields.times();
    let read = |k: usize| -> Result<ForceFrame, Error> {
        read_frame(&points.load(k)?, &fields.load(k)?)
            .ok_or_else(|| points.complaint(k, NOT_THERE.into()))
    };
    if let Some(time) = time {
        let far = |k: &usize| (times[*k] - time).abs();
        let nearest = (0..times.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
        return nearest.map(read).transpose();
    }
    let mut last = None;
    for k in (0..times.len()).rev() {
        let frame = read(k)?;
        if !frame.lines.is_empty() {
            return Ok(Some(frame));
        }
        last = last.or(Some(frame));
    }
    Ok(last)
}

const NOT_THERE: &str = "it has no 'force', 'body_1' and 'body_2'; run the case again";

fn read_frame(points: &FrameData, fields: &FrameData) -> Option<ForceFrame> {
    let array = |name: &str, components: usize| {
        points.point(name).filter(|array: &&Array| array.components == components)
    };
    let (force, normal) = (array("force", 3)?, array("normal", 3)?);
    let bodies = [array("body_1", 1)?, array("body_2", 1)?];
    let centers = centers_of(fields);
    let vector = |array: &Array, n: usize| [0, 1, 2].map(|i| array.values[3 * n + i]);
    let line = |n: usize| {
        let center = |array: &Array| centers.get(&(array.values[n] as i64)).copied();
        let [first, second] = bodies.map(center);
        let points = [first, Some(points.points[n]), second].into_iter().flatten().collect();
        ForceLine { points, force: dot(vector(force, n), vector(normal, n)) }
    };
    let lines = (0..points.points.len()).map(line).filter(|line| line.force > 0.0);
    let lines = lines.collect();
    Some(ForceFrame { time: points.time, lines, outlines: outlines_of(fields)? })
}

/// Where the centres of the bodies are, by their numbers. At those whose motion is prescribed, as the ground's is, a
/// force ends where it is borne.
fn centers_of(fields: &FrameData) -> BTreeMap<i64, [f64; 3]> {
    let (Some(body), Some(center)) = (fields.cell("body"), fields.cell("center")) else {
        return BTreeMap::new();
    };
    let driven = fields.cell("driven");
    let is_free = |c: &usize| driven.is_none_or(|marks| marks.values[*c] == 0.0);
    let own = (0..body.values.len()).filter(|&c| body.values[c] >= 0.0).filter(is_free);
    let place = |c: usize| [0, 1, 2].map(|i| center.values[3 * c + i]);
    own.map(|c| (body.values[c] as i64, place(c))).collect()
}

/// The sides of all polygons that are not hidden, each once.
fn outlines_of(fields: &FrameData) -> Option<Vec<[[f64; 3]; 2]>> {
    const POLYGON: u8 = 7;
    let moved = fields.point("displacement").filter(|array| array.components == 3)?;
    let hidden = fields.cell("vtkGhostType");
    let is_shown = |c: usize| {
        fields.cell_types[c] == POLYGON && hidden.is_none_or(|marks| marks.values[c] == 0.0)
    };
    let mut sides: Vec<[u32; 2]> = Vec::new();
    for c in (0..fields.cell_types.len()).filter(|&c| is_shown(c)) {
        let corners = fields.cell_points(c);
        let next = corners.iter().cycle().skip(1);
        sides.extend(corners.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)]));
    }
    sides.sort_unstable();
    sides.dedup();
    let place = |point: u32| {
        let n = point as usize;
        plus(fields.points[n], [0, 1, 2].map(|i| moved.values[3 * n + i]))
    };
    Some(sides.into_iter().map(|side| side.map(place)).collect())
}

fn drawn(run: &DrawnRun, frame: &ForceFrame) -> Drawing {
    let seen = |line: &[[f64; 3]; 2]| line.to_vec();
    let everything: Vec<Vec<[f64; 3]>> = frame
        .outlines
        .iter()
        .map(seen)
        .chain(frame.lines.iter().map(|l| l.points.clone()))
        .collect();
    let axes = seen_axes(everything.iter().flatten());
    let flat = |point: &[f64; 3]| axes.map(|axis| point[axis]);
    let largest = frame.lines.iter().map(|line| line.force).fold(0.0, f64::max);
    let mut curves = Vec::new();
    if frame.outlines.len() <= MOST_OUTLINES {
        curves.push(Curve {
            label: String::new(),
            points: broken(frame.outlines.iter().map(|side| side.iter().map(flat))),
            kind: CurveKind::Stroke(1),
        });
    }
    for width in 1..=WIDEST {
        let own = |line: &&ForceLine| {
            let share = line.force / largest;
            share >= LEAST && (share * f64::from(WIDEST)).ceil() as u8 == width
        };
        let points = broken(frame.lines.iter().filter(own).map(|l| l.points.iter().map(flat)));
        if !points.is_empty() {
            curves.push(Curve { label: "force".into(), points, kind: CurveKind::Stroke(width) });
        }
    }
    let units = run.results.units();
    let [x_label, y_label] =
        axes.map(|axis| axis_label(["x", "y", "z"][axis], Dimension::Length, units.as_ref()));
    let unit =
        |dimension| units.as_ref().map_or(String::new(), |u| format!(" {}", u.of(dimension)));
    let (time, force) = (unit(Dimension::Time), unit(Dimension::Force));
    let title = format!("t = {}{time}, largest {largest:.3e}{force}", frame.time);
    let panel = Panel { title, x_label, y_label, curves, equal: true, ..Panel::default() };
    Drawing {
        name: "forces",
        caption: format!(
            "Normal forces of {} contacts at t = {}{time}: a line from centre to centre over the contact point, as \
             wide as the force, of which the largest is {largest:.3e}{force}. Forces below {LEAST:.0e} of it are left \
             out.",
            frame.lines.len(),
            frame.time
        ),
        figure: Figure {
            title: run.title("contact forces"),
            panels: vec![panel],
            columns: Some(1),
        },
    }
}

/// Lines with a break after each.
fn broken(lines: impl Iterator<Item = impl Iterator<Item = [f64; 2]>>) -> Vec<[f64; 2]> {
    lines.flat_map(|line| line.chain([[f64::NAN; 2]])).collect()
}

/// The plane that is looked at: x and y where all is flat; otherwise z upwards over the longer of the other two.
fn seen_axes<'p>(points: impl Iterator<Item = &'p [f64; 3]>) -> [usize; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for i in 0..3 {
            (low[i], high[i]) = (low[i].min(point[i]), high[i].max(point[i]));
        }
    }
    let [x, y, z] = [0, 1, 2].map(|i| (high[i] - low[i]).max(0.0));
    match z > 0.0 {
        false => [0, 1],
        true if x >= y => [0, 2],
        true => [1, 2],
    }
}
