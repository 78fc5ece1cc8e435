//! Where things are in a figure: its grid of panels, their frames, its legend. In pixels.

use super::axis::Axis;
use super::{Colours, Curve, CurveKind, Figure, Panel, Raster};

/// Size of all text but the title.
pub(super) const FONT: f64 = 12.0;
/// Size of the title.
pub(super) const TITLE_FONT: f64 = 15.0;
/// Length of a line in the legend.
pub(super) const SAMPLE: f64 = 26.0;
const MARGIN: f64 = 14.0;
const LEGEND_ROW: f64 = 19.0;
/// Of a panel's title and the power of ten beside it.
const ABOVE: f64 = 24.0;
/// Of the numbers and the label under a panel.
const BELOW: f64 = 42.0;
/// Between panels beside each other.
const BETWEEN: f64 = 18.0;
/// Room for the bar of a colour scale, its numbers and its label.
const BAR: f64 = 78.0;
/// Frames narrower than this show nothing.
const NARROWEST: f64 = 170.0;
/// Height of a frame as a share of its width, where the width is given.
const FLAT: f64 = 0.62;
/// Share of the range left free around lines, in the vertical, and around clouds.
const ROOM: f64 = 0.04;

/// A panel's frame and its axes.
pub(super) struct PanelFrame<'a> {
    pub panel: &'a Panel,
    pub x: Axis,
    pub y: Axis,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl PanelFrame<'_> {
    /// A point of a curve in pixels; not finite where it is nowhere.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.left + self.width * self.x.share(x), self.top + self.height * (1.0 - self.y.share(y))]
    }
}

/// An entry of the legend.
pub(super) struct LegendEntry<'a> {
    pub label: &'a str,
    pub sample: LegendSample,
    pub left: f64,
    pub middle: f64,
}

/// What stands before a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegendSample {
    Curve(CurveKind),
    Patch(&'static str),
}

/// The whole.
pub(super) struct Layout<'a> {
    pub width: f64,
    pub height: f64,
    /// Baseline of the title.
    pub title: f64,
    pub title_font: f64,
    pub frames: Vec<PanelFrame<'a>>,
    pub legend: Vec<LegendEntry<'a>>,
    /// Labels in the order of their colours.
    pub labels: Vec<&'a str>,
}

impl<'a> Layout<'a> {
    /// Of a figure as wide as it likes, or so many pixels wide.
    pub fn new(figure: &'a Figure, wanted: Option<f64>) -> Self {
        let panels = &figure.panels;
        let axes: Vec<[Axis; 2]> = panels.iter().map(axes_of).collect();
        let beside = axes.iter().flat_map(|[_, y]| &y.ticks).map(|tick| text_width(&tick.label));
        let left = 30.0 + beside.fold(0.0, f64::max);
        let right = if panels.iter().any(has_bar) { BETWEEN + BAR } else { BETWEEN };
        let PanelGrid { columns, width, height } = PanelGrid::new(figure, left + right, wanted);
        let [cell_width, cell_height] = [left + width + right, ABOVE + height + BELOW];
        let total_width = 2.0 * MARGIN + columns as f64 * cell_width;
        let title_font = match wanted {
            Some(_) => {
                let fits = total_width / (0.62 * figure.title.chars().count() as f64);
                (10.0 * TITLE_FONT.min(fits)).floor() / 10.0
            }
            None => TITLE_FONT,
        };
        let title = MARGIN + title_font;
        let under_title = if figure.title.is_empty() { MARGIN } else { title + 10.0 };
        let axes: Vec<[Axis; 2]> = panels
            .iter()
            .zip(axes)
            .map(
                |(panel, axes)| if panel.equal { equal_axes(panel, [width, height]) } else { axes },
            )
            .collect();
        let (legend, labels, under_legend) = legend_of(figure, under_title, total_width);
        let frame = |(k, (panel, [x, y])): (usize, (&'a Panel, [Axis; 2]))| PanelFrame {
            panel,
            x,
            y,
            left: MARGIN + (k % columns) as f64 * cell_width + left,
            top: under_legend + (k / columns) as f64 * cell_height + ABOVE,
            width,
            height,
        };
        Self {
            width: total_width,
            height: under_legend + panels.len().div_ceil(columns) as f64 * cell_height + MARGIN,
            title,
            title_font,
            frames: panels.iter().zip(axes).enumerate().map(frame).collect(),
            legend,
            labels,
        }
    }
}

/// Panels in a row and the size of their frames.
struct PanelGrid {
    columns: usize,
    width: f64,
    height: f64,
}

impl PanelGrid {
    /// With so much beside each frame.
    fn new(figure: &Figure, beside: f64, wanted: Option<f64>) -> Self {
        let panels = figure.panels.len();
        let most = figure.columns.unwrap_or(columns_of(panels)).clamp(1, panels.max(1));
        let Some(total) = wanted else {
            let [width, height] =
                if most == 1 && panels <= 2 { [560.0, 320.0] } else { [330.0, 205.0] };
            return Self { columns: most, width, height };
        };
        let width = |columns: usize| (total - 2.0 * MARGIN) / columns as f64 - beside;
        let columns = (1..=most).rev().find(|&n| width(n) >= NARROWEST).unwrap_or(1);
        let width = width(columns).max(NARROWEST).floor();
        Self { columns, width, height: (FLAT * width).round() }
    }
}

fn has_bar(panel: &Panel) -> bool {
    let colours = panel.raster.as_ref().map(|raster| &raster.colours);
    matches!(colours, Some(Colours::Sequential { .. } | Colours::Diverging { .. }))
}

fn columns_of(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

fn axes_of(panel: &Panel) -> [Axis; 2] {
    let is_cloud = panel
        .curves
        .iter()
        .any(|curve| matches!(curve.kind, CurveKind::Points | CurveKind::Specks));
    let [room_x, room_y] = match panel.raster {
        Some(_) => [0.0, 0.0],
        None => [if is_cloud { ROOM } else { 0.0 }, ROOM],
    };
    let edges = |of: fn(&Raster) -> &[f64]| {
        panel.raster.iter().flat_map(move |raster| of(raster).iter().copied())
    };
    // A point is drawn where both its numbers can be: only such points ask for room.
    let is_drawn = |[x, y]: &[f64; 2]| {
        let fits = |value: f64, log: bool| value.is_finite() && (!log || value > 0.0);
        fits(*x, panel.log_x) && fits(*y, panel.log_y)
    };
    let drawn =
        || panel.curves.iter().flat_map(|curve| &curve.points).filter(|point| is_drawn(point));
    [
        Axis::new(drawn().map(|point| point[0]).chain(edges(|r| &r.x)), panel.log_x, room_x),
        Axis::new(drawn().map(|point| point[1]).chain(edges(|r| &r.y)), panel.log_y, room_y),
    ]
}

/// Axes of one scale, linear, for a frame of that size.
fn equal_axes(panel: &Panel, size: [f64; 2]) -> [Axis; 2] {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let ends = [0, 1].map(|i| {
        let values = points().filter(|point| point.iter().all(|x| x.is_finite())).map(|p| p[i]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)))
    });
    let spans = [0, 1].map(|i| (1.0 + 2.0 * ROOM) * (ends[i].1 - ends[i].0) / size[i]);
    let scale = spans[0].max(spans[1]);
    [0, 1].map(|i| {
        let (middle, half) = (0.5 * (ends[i].0 + ends[i].1), 0.5 * scale * size[i]);
        Axis::new([middle - half, middle + half].into_iter(), false, 0.0)
    })
}

/// Entries in rows, the labels, and where the legend ends. One label explains itself.
fn legend_of(figure: &Figure, top: f64, width: f64) -> (Vec<LegendEntry<'_>>, Vec<&str>, f64) {
    let mut labels: Vec<&str> = Vec::new();
    let mut samples: Vec<(&str, LegendSample)> = patches_of(figure);
    let without_curves = samples.len();
    let curves = figure.panels.iter().flat_map(|panel| &panel.curves);
    for Curve { label, kind, .. } in curves.filter(|curve| !curve.label.is_empty()) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
        // Lines of one label are as wide as what they show: one stands for all.
        let is_stroke = |(own, sample): &(&str, LegendSample)| {
            let stroke = matches!(sample, LegendSample::Curve(CurveKind::Stroke(_)));
            *own == label && stroke && matches!(kind, CurveKind::Stroke(_))
        };
        if !samples.contains(&(label, LegendSample::Curve(*kind))) && !samples.iter().any(is_stroke)
        {
            samples.push((label, LegendSample::Curve(*kind)));
        }
    }
    if without_curves == 0 && samples.len() < 2 {
        return (Vec::new(), labels, top);
    }
    let entry_width = |label: &str| SAMPLE + 8.0 + text_width(label) + 22.0;
    let mut rows: Vec<(f64, Vec<(&str, LegendSample)>)> = vec![(0.0, Vec::new())];
    for (label, sample) in samples {
        let wide = entry_width(label);
        match rows.last_mut() {
            Some((filled, row)) if row.is_empty() || *filled + wide <= width => {
                *filled += wide;
                row.push((label, sample));
            }
            _ => rows.push((wide, vec![(label, sample)])),
        }
    }
    let mut entries = Vec::new();
    let mut middle = top - 0.5 * LEGEND_ROW;
    for (filled, row) in rows {
        middle += LEGEND_ROW;
        let mut left = 0.5 * (width - filled) + 11.0;
        for (label, sample) in row {
            entries.push(LegendEntry { label, sample, left, middle });
            left += entry_width(label);
        }
    }
    (entries, labels, middle + 0.5 * LEGEND_ROW)
}

/// The classes of all rasters that occur in them.
fn patches_of(figure: &Figure) -> Vec<(&str, LegendSample)> {
    let mut patches = Vec::new();
    for raster in figure.panels.iter().filter_map(|panel| panel.raster.as_ref()) {
        let Colours::Classes(classes) = &raster.colours else { continue };
        for (k, class) in classes.iter().enumerate() {
            let patch = (class.label.as_str(), LegendSample::Patch(class.colour));
            let occurs = raster.values.iter().flatten().any(|&value| value == k as f64);
            if occurs && !patches.contains(&patch) {
                patches.push(patch);
            }
        }
    }
    patches
}

/// About how wide a text is.
pub(super) fn text_width(text: &str) -> f64 {
    0.63 * FONT * text.chars().count() as f64
}
