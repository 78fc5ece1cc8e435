//! Figures over space and time.

use std::ops::Range;

use super::surface::Sole;
use super::{Drawing, DrawnRun};
use crate::error::Error;
use crate::plot::{Class, Colours, Curve, CurveKind, Figure, Panel, Raster};
use crate::results::{Array, FrameData};
use crate::units::{Dimension, axis_label};

/// More contact sets than this nobody looks at.
pub(super) const MOST_SOLES: usize = 4;
/// Times of which profiles are drawn.
const PROFILES: usize = 4;

/// What contact points did, frame by frame.
pub(super) struct Marks {
    time: Vec<f64>,
    /// Per frame, per candidate: 0 open, 1 stick, 2 slip.
    status: Vec<Vec<f64>>,
    /// Per frame, per candidate: normal and tangential impulse of the frame's step.
    impulse: Vec<Vec<[f64; 2]>>,
}

impl DrawnRun<'_> {
    /// Reads the frames of the contact points; none where there are none.
    pub(super) fn marks(&self) -> Result<Option<Marks>, Error> {
        let Some(frames) = &self.frames else { return Ok(None) };
        let mut marks = Marks { time: Vec::new(), status: Vec::new(), impulse: Vec::new() };
        for k in 0..frames.len() {
            let frame = frames.load(k)?;
            marks.time.push(frame.time);
            marks.status.push(self.array(&frame, "status", 1)?.values.clone());
            let (p, n) = (self.array(&frame, "impulse", 3)?, self.array(&frame, "normal", 3)?);
            let space = self.results.contacts.dimension == 3;
            let pairs = p.values.chunks_exact(3).zip(n.values.chunks_exact(3));
            marks.impulse.push(pairs.map(|(p, n)| in_frame(p, n, space)).collect());
        }
        Ok(Some(marks))
    }

    fn array<'f>(
        &self,
        frame: &'f FrameData,
        name: &str,
        width: usize,
    ) -> Result<&'f Array, Error> {
        let points = self.results.contacts.rows.len();
        // Behind the candidates there may be contacts between bodies.
        let found = frame.point(name).filter(|a| a.values.len() >= width * points);
        found.ok_or_else(|| Error::Results {
            path: self.results.folder.join("contacts.pvd"),
            message: format!(
                "the frame at t = {} has not the '{name}' of {points} contact points; run the case again",
                frame.time
            ),
        })
    }
}

/// Normal and tangential part of an impulse; the second with a sign in the plane, positive towards x on a
/// floor, and a size in space.
fn in_frame(p: &[f64], n: &[f64], space: bool) -> [f64; 2] {
    let normal: f64 = (0..3).map(|i| p[i] * n[i]).sum();
    let tangential = if space {
        (0..3).map(|i| (p[i] - normal * n[i]).powi(2)).sum::<f64>().sqrt()
    } else {
        p[0] * n[1] - p[1] * n[0]
    };
    [normal, tangential]
}

/// Open, stick and slip.
pub(super) fn spacetime(run: &DrawnRun, marks: &Marks) -> Drawing {
    let class = |label: &str, colour| Class { label: label.into(), colour };
    let classes =
        vec![class("open", "#f1f1ee"), class("stick", "#0072b2"), class("slip", "#e69f00")];
    let panel = |sole: &Sole| {
        let values = |k: usize| marks.status.iter().map(|frame| frame[sole.members[k]]).collect();
        map(run, marks, sole, values, Colours::Classes(classes.clone()))
    };
    let panels: Vec<Panel> = run.soles.iter().take(MOST_SOLES).map(panel).collect();
    let shown = match run.soles.len() {
        many if many > MOST_SOLES => {
            format!(" The first {MOST_SOLES} of {many} contacts are shown.")
        }
        _ => String::new(),
    };
    Drawing {
        name: "spacetime",
        caption: format!(
            "Status of every contact point in each of {} frames: waves of opening and slip run along \
             the surface as slanted bands.{shown}",
            marks.time.len()
        ),
        figure: Figure {
            title: run.title("contact in space and time"),
            columns: Some(if panels.len() > 1 { 2 } else { 1 }),
            panels,
        },
    }
}

/// What impulses are divided by, and what comes of it.
enum Per {
    /// Force on a node: impulse over step.
    Node,
    /// Pressure: that over the node's share of the surface, of so much depth.
    Area(f64),
}

/// One part of the forces on a contact set: normal or tangential.
struct ForcePart<'a> {
    run: &'a DrawnRun<'a>,
    marks: &'a Marks,
    sole: &'a Sole,
    per: &'a Per,
    /// 0 normal, 1 tangential.
    which: usize,
}

impl ForcePart<'_> {
    /// Of the k-th point of the set in a frame.
    fn at(&self, k: usize, frame: usize) -> f64 {
        let impulse = self.marks.impulse[frame][self.sole.members[k]][self.which];
        let step = self.run.results.summary.scheme.step;
        match self.per {
            Per::Node => impulse / step,
            Per::Area(depth) => impulse / (step * self.sole.share[k] * depth),
        }
    }

    fn label(&self) -> String {
        let (words, dimension) = match self.per {
            Per::Area(_) => (["pressure", "shear"], Dimension::Pressure),
            Per::Node => (["normal force", "tangential force"], Dimension::Force),
        };
        axis_label(words[self.which], dimension, self.run.results.units().as_ref())
    }

    /// Over surface and time.
    fn map(&self) -> Panel {
        let label = self.label();
        let colours = match self.which {
            1 if self.run.results.contacts.dimension == 2 => Colours::Diverging { label },
            _ => Colours::Sequential { label },
        };
        let values = |k: usize| (0..self.marks.time.len()).map(|f| self.at(k, f)).collect();
        map(self.run, self.marks, self.sole, values, colours)
    }

    /// Along the surface at a few times, spread over the run: where contact pushes most in each part of it.
    fn profiles(&self) -> Panel {
        let (time, last) = (&self.marks.time, self.marks.time.len() - 1);
        let push = |frame: usize| -> f64 {
            self.sole.members.iter().map(|&c| self.marks.impulse[frame][c][0]).sum()
        };
        let busiest = |k: usize| {
            let part = k * last / PROFILES + 1..(k + 1) * last / PROFILES + 1;
            part.max_by(|&a, &b| push(a).total_cmp(&push(b))).filter(|&frame| push(frame) > 0.0)
        };
        let mut frames: Vec<usize> = (0..PROFILES).filter_map(busiest).collect();
        frames.dedup();
        let units = self.run.results.units();
        let unit = units.as_ref().map_or(String::new(), |u| format!(" {}", u.of(Dimension::Time)));
        // A break after each piece of the surface.
        let points = |frame: usize| {
            let place = |k: usize| [self.sole.coordinate[k], self.at(k, frame)];
            let piece = |piece: Range<usize>| piece.map(place).chain([[f64::NAN; 2]]);
            self.sole.pieces().into_iter().flat_map(piece).collect()
        };
        let curve = |&frame: &usize| Curve {
            label: format!("t = {}{unit}", short(time[frame])),
            points: points(frame),
            kind: CurveKind::Line,
        };
        Panel {
            title: self.sole.name.clone(),
            x_label: self.sole.label(units.as_ref()),
            y_label: self.label(),
            curves: frames.iter().map(curve).collect(),
            ..Panel::default()
        }
    }
}

/// Pressure and shear: maps, and profiles at a few times.
pub(super) fn pressure(run: &DrawnRun, marks: &Marks) -> Drawing {
    let (mut panels, mut by_area) = (Vec::new(), true);
    for sole in run.soles.iter().take(MOST_SOLES) {
        let per = &per(run, sole);
        by_area &= matches!(per, Per::Area(_));
        let parts = [0, 1].map(|which| ForcePart { run, marks, sole, per, which });
        panels.extend(parts.iter().map(ForcePart::map));
        if sole.is_line {
            panels.extend(parts.iter().map(ForcePart::profiles));
        }
    }
    let (title, what) = if by_area {
        (
            "contact pressure and shear",
            "impulse of the step over its length and the node's share of the surface",
        )
    } else {
        (
            "contact forces",
            "impulse of the step over its length, that is the force on each node, since the files do not tell its share of the surface",
        )
    };
    Drawing {
        name: "pressure",
        caption: format!(
            "{} at the frames, normal part left, tangential part right: {what}. In the plane the \
             tangential part is positive to the right of the normal, towards x on a floor. Impacts last \
             one step, so peaks grow as the step shrinks.",
            super::capitalised(title)
        ),
        figure: Figure { title: run.title(title), panels, columns: Some(2) },
    }
}

fn per(run: &DrawnRun, sole: &Sole) -> Per {
    let materials = &run.results.summary.case.materials;
    let depth = materials.first().map(|m| m.depth);
    let plane = materials.iter().all(|m| m.section.starts_with("plane") && Some(m.depth) == depth);
    match depth {
        Some(depth) if plane && sole.is_line && sole.share.iter().all(|&s| s > 0.0) => {
            Per::Area(depth)
        }
        _ => Per::Node,
    }
}

/// A time in few digits.
fn short(time: f64) -> String {
    let text = format!("{time:.4}");
    let text = if time != 0.0 && time.abs() < 1e-2 { format!("{time:.3e}") } else { text };
    if text.contains('e') { text } else { text.trim_end_matches('0').trim_end_matches('.').into() }
}

/// A panel of time to the right and the surface upwards; `values` of the k-th point are one per frame.
fn map(
    run: &DrawnRun,
    marks: &Marks,
    sole: &Sole,
    values: impl Fn(usize) -> Vec<f64>,
    colours: Colours,
) -> Panel {
    let units = run.results.units();
    let pieces = sole.pieces();
    // Between two pieces of the surface there is a row that is not painted.
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for piece in &pieces {
        if !rows.is_empty() {
            rows.push(vec![f64::NAN; marks.time.len()]);
        }
        rows.extend(piece.clone().map(&values));
    }
    Panel {
        title: sole.name.clone(),
        x_label: axis_label("time", Dimension::Time, units.as_ref()),
        y_label: sole.label(units.as_ref()),
        raster: Some(Raster {
            x: edges(&marks.time),
            y: pieces.iter().flat_map(|piece| edges(&sole.coordinate[piece.clone()])).collect(),
            values: rows,
            colours,
        }),
        ..Panel::default()
    }
}

/// Half-way between the places, and as far beyond the outer ones; a place alone is one wide.
fn edges(places: &[f64]) -> Vec<f64> {
    let middles = places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let middles: Vec<f64> = middles.collect();
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return vec![0.0] };
    let begin = middles.first().map_or(first - 0.5, |m| 2.0 * first - m);
    let end = middles.last().map_or(last + 0.5, |m| 2.0 * last - m);
    std::iter::once(begin).chain(middles).chain([end]).collect()
}
