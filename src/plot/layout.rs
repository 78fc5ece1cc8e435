//! Where things are in a figure: its grid of panels, their frames, its legend. In pixels.

use super::axis::Axis;
use super::{Curve, Figure, Kind, Panel};

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
/// Share of the range left free around lines, in the vertical, and around clouds.
const ROOM: f64 = 0.04;

/// A panel's frame and its axes.
pub(super) struct Frame<'a> {
    pub panel: &'a Panel,
    pub x: Axis,
    pub y: Axis,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Frame<'_> {
    /// A point of a curve in pixels; not finite where it is nowhere.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.left + self.width * self.x.share(x), self.top + self.height * (1.0 - self.y.share(y))]
    }
}

/// An entry of the legend.
pub(super) struct Entry<'a> {
    pub label: &'a str,
    pub kind: Kind,
    pub left: f64,
    pub middle: f64,
}

/// The whole.
pub(super) struct Layout<'a> {
    pub width: f64,
    pub height: f64,
    /// Baseline of the title.
    pub title: f64,
    pub frames: Vec<Frame<'a>>,
    pub legend: Vec<Entry<'a>>,
    /// Labels in the order of their colours.
    pub labels: Vec<&'a str>,
}

impl<'a> Layout<'a> {
    pub fn new(figure: &'a Figure) -> Self {
        let panels = &figure.panels;
        let columns =
            figure.columns.unwrap_or(columns_of(panels.len())).clamp(1, panels.len().max(1));
        let [width, height] =
            if columns == 1 && panels.len() <= 2 { [560.0, 320.0] } else { [330.0, 205.0] };
        let axes: Vec<[Axis; 2]> = panels.iter().map(axes_of).collect();
        let beside = axes.iter().flat_map(|[_, y]| &y.ticks).map(|tick| text_width(&tick.label));
        let left = 30.0 + beside.fold(0.0, f64::max);
        let [cell_width, cell_height] = [left + width + BETWEEN, ABOVE + height + BELOW];
        let total_width = 2.0 * MARGIN + columns as f64 * cell_width;
        let title = MARGIN + TITLE_FONT;
        let under_title = if figure.title.is_empty() { MARGIN } else { title + 10.0 };
        let (legend, labels, under_legend) = legend_of(figure, under_title, total_width);
        let frame = |(k, (panel, [x, y])): (usize, (&'a Panel, [Axis; 2]))| Frame {
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
            frames: panels.iter().zip(axes).enumerate().map(frame).collect(),
            legend,
            labels,
        }
    }
}

fn columns_of(panels: usize) -> usize {
    match panels {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

fn axes_of(panel: &Panel) -> [Axis; 2] {
    let is_cloud = panel.curves.iter().any(|curve| curve.kind == Kind::Points);
    let [room_x, room_y] = [if is_cloud { ROOM } else { 0.0 }, ROOM];
    // A point is drawn where both its numbers can be: only such points ask for room.
    let is_drawn = |[x, y]: &[f64; 2]| {
        let fits = |value: f64, log: bool| value.is_finite() && (!log || value > 0.0);
        fits(*x, panel.log_x) && fits(*y, panel.log_y)
    };
    let drawn =
        || panel.curves.iter().flat_map(|curve| &curve.points).filter(|point| is_drawn(point));
    [
        Axis::new(drawn().map(|point| point[0]), panel.log_x, room_x),
        Axis::new(drawn().map(|point| point[1]), panel.log_y, room_y),
    ]
}

/// Entries in rows, the labels, and where the legend ends. One label explains itself.
fn legend_of(figure: &Figure, top: f64, width: f64) -> (Vec<Entry<'_>>, Vec<&str>, f64) {
    let mut labels: Vec<&str> = Vec::new();
    let mut kinds: Vec<(&str, Kind)> = Vec::new();
    let curves = figure.panels.iter().flat_map(|panel| &panel.curves);
    for Curve { label, kind, .. } in curves.filter(|curve| !curve.label.is_empty()) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
        if !kinds.contains(&(label, *kind)) {
            kinds.push((label, *kind));
        }
    }
    if kinds.len() < 2 {
        return (Vec::new(), labels, top);
    }
    let entry_width = |label: &str| SAMPLE + 8.0 + text_width(label) + 22.0;
    let mut rows: Vec<(f64, Vec<(&str, Kind)>)> = vec![(0.0, Vec::new())];
    for (label, kind) in kinds {
        let wide = entry_width(label);
        match rows.last_mut() {
            Some((filled, row)) if row.is_empty() || *filled + wide <= width => {
                *filled += wide;
                row.push((label, kind));
            }
            _ => rows.push((wide, vec![(label, kind)])),
        }
    }
    let mut entries = Vec::new();
    let mut middle = top - 0.5 * LEGEND_ROW;
    for (filled, row) in rows {
        middle += LEGEND_ROW;
        let mut left = 0.5 * (width - filled) + 11.0;
        for (label, kind) in row {
            entries.push(Entry { label, kind, left, middle });
            left += entry_width(label);
        }
    }
    (entries, labels, middle + 0.5 * LEGEND_ROW)
}

/// About how wide a text is.
pub(super) fn text_width(text: &str) -> f64 {
    0.63 * FONT * text.chars().count() as f64
}
