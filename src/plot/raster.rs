//! Values over a grid, as rectangles of colour.

use std::fmt::Write;

use super::axis::{Axis, power_of_ten};
use super::colour::{LEVELS, colour_at, level_of, share_of};
use super::draw::write_text;
use super::layout::{PanelFrame, text_width};
use super::{Colours, Raster};

/// More columns and rows than these are thinned: they would be finer than a dot of ink.
const MOST_COLUMNS: usize = 400;
const MOST_ROWS: usize = 240;

/// Paints the cells of a panel's raster and, where colours are a scale, the bar beside it.
pub(super) fn draw_raster(svg: &mut String, frame: &PanelFrame, raster: &Raster) {
    let palette = Palette::new(raster);
    let mut paths = vec![String::new(); palette.colours.len()];
    let columns = thinned(&raster.x, MOST_COLUMNS);
    for row in thinned(&raster.y, MOST_ROWS) {
        let level = |column: &Strip| palette.level_of(raster.values[row.cell][column.cell]);
        for run in columns.chunk_by(|a, b| level(a) == level(b)) {
            let Some(level) = level(&run[0]) else { continue };
            // Edges, not sizes, are rounded: no light shows between neighbours.
            let [left, bottom] = frame.place([run[0].low, row.low]).map(tenth);
            let [right, top] = frame.place([run[run.len() - 1].high, row.high]).map(tenth);
            if ![left, bottom, right, top].iter().all(|edge| edge.is_finite()) {
                continue;
            }
            let _ = write!(paths[level], "M{left} {top}H{right}V{bottom}H{left}z");
        }
    }
    for (path, colour) in paths.iter().zip(&palette.colours).filter(|(path, _)| !path.is_empty()) {
        let _ = writeln!(svg, r#"<path d="{path}" fill="{colour}" shape-rendering="crispEdges"/>"#);
    }
    if let Colours::Sequential { label } | Colours::Diverging { label } = &raster.colours {
        draw_bar(svg, frame, &palette, label);
    }
}

fn tenth(pixels: f64) -> f64 {
    (10.0 * pixels).round() / 10.0
}

/// A cell, or the middle one of some beside each other that are painted as one.
struct Strip {
    low: f64,
    high: f64,
    cell: usize,
}

fn thinned(edges: &[f64], most: usize) -> Vec<Strip> {
    let cells = edges.len().saturating_sub(1);
    let stride = cells.div_ceil(most).max(1);
    let strip = |first: usize| {
        let end = (first + stride).min(cells);
        Strip { low: edges[first], high: edges[end], cell: (first + end) / 2 }
    };
    (0..cells).step_by(stride).map(strip).collect()
}

/// Colours and what they stand for.
struct Palette {
    colours: Vec<String>,
    /// From the lightest to the darkest; none for classes.
    scale: Option<Axis>,
}

impl Palette {
    fn new(raster: &Raster) -> Self {
        let values = raster.values.iter().flatten().copied().filter(|v| v.is_finite());
        let (low, high) = values.fold((0.0, 0.0), |(l, h): (f64, f64), v| (l.min(v), h.max(v)));
        let colours = |diverging| -> Vec<String> {
            (0..LEVELS).map(|level| colour_at(share_of(level), diverging)).collect()
        };
        let between = |ends: [f64; 2]| Some(Axis::new(ends.into_iter(), false, 0.0));
        match &raster.colours {
            Colours::Classes(classes) => Self {
                colours: classes.iter().map(|class| class.colour.to_string()).collect(),
                scale: None,
            },
            Colours::Sequential { .. } => {
                let high = if low < high { high } else { 1.0 };
                Self { colours: colours(false), scale: between([low, high]) }
            }
            Colours::Diverging { .. } => {
                let size = if low < high { high.max(-low) } else { 1.0 };
                Self { colours: colours(true), scale: between([-size, size]) }
            }
        }
    }

    /// The colour of a value; none where it has none.
    fn level_of(&self, value: f64) -> Option<usize> {
        match &self.scale {
            _ if !value.is_finite() => None,
            Some(scale) => Some(level_of(scale.share(value))),
            None => {
                (value >= 0.0 && (value as usize) < self.colours.len()).then_some(value as usize)
            }
        }
    }
}

/// The scale as a bar to the right of the frame, with ticks and label.
fn draw_bar(svg: &mut String, frame: &PanelFrame, palette: &Palette, label: &str) {
    let Some(axis) = &palette.scale else { return };
    let &PanelFrame { left, top, width, height, .. } = frame;
    let (at, wide) = (left + width + 10.0, 11.0);
    let tall = height / LEVELS as f64;
    for (level, colour) in palette.colours.iter().enumerate() {
        let y = top + height - (level + 1) as f64 * tall;
        let _ = writeln!(
            svg,
            r#"<path d="M{at:.1} {y:.2}h{wide}v{:.2}h-{wide}z" fill="{colour}"/>"#,
            tall + if level == 0 { 0.0 } else { 0.4 }
        );
    }
    let _ = writeln!(
        svg,
        r##"<rect x="{at:.1}" y="{top:.1}" width="{wide}" height="{height}" fill="none" stroke="#888888"/>"##
    );
    for tick in &axis.ticks {
        let y = top + height * (1.0 - tick.share);
        let _ = writeln!(svg, r##"<path d="M{:.1} {y:.1}h4" stroke="#888888"/>"##, at + wide);
        write_text(svg, [at + wide + 7.0, y + 4.0], "start", &tick.label);
    }
    if axis.exponent != 0 {
        let factor = format!("×{}", power_of_ten(axis.exponent));
        write_text(svg, [at, top - 6.0], "start", &factor);
    }
    let numbers = axis.ticks.iter().map(|tick| text_width(&tick.label)).fold(0.0, f64::max);
    let (x, y) = (at + wide + 20.0 + numbers, top + 0.5 * height);
    let _ = writeln!(
        svg,
        r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle">{}</text>"#,
        super::draw::escaped(label)
    );
}

#[cfg(test)]
mod tests {
    use super::super::{Class, Figure, Panel};
    use super::*;

    fn svg_of(raster: Raster) -> String {
        let panel = Panel { raster: Some(raster), ..Panel::default() };
        Figure { panels: vec![panel], ..Figure::default() }.to_svg()
    }

    #[test]
    fn cells_of_one_class_are_one_run_and_what_is_no_number_is_left_out() {
        let class = |label: &str, colour| Class { label: label.into(), colour };
        let svg = svg_of(Raster {
            x: vec![0.0, 1.0, 2.0, 3.0, 4.0],
            y: vec![0.0, 1.0],
            values: vec![vec![1.0, 1.0, 0.0, f64::NAN]],
            colours: Colours::Classes(vec![class("open", "#eeeeee"), class("stick", "#123456")]),
        });
        let runs = |colour: &str| {
            let line = svg.lines().find(|l| {
                l.ends_with(&format!(r#"fill="{colour}" shape-rendering="crispEdges"/>"#))
            });
            line.map_or(0, |line| line.matches('z').count())
        };
        assert_eq!((runs("#123456"), runs("#eeeeee")), (1, 1));
        assert!(svg.contains(">stick</text>") && !svg.contains("NaN"));
    }

    #[test]
    fn a_large_raster_stays_small_and_its_scale_has_a_bar() {
        let (columns, rows) = (5000, 600);
        let value = |r: usize, c: usize| ((r * c) % 977) as f64;
        let svg = svg_of(Raster {
            x: (0..=columns).map(|c| c as f64).collect(),
            y: (0..=rows).map(|r| r as f64).collect(),
            values: (0..rows).map(|r| (0..columns).map(|c| value(r, c)).collect()).collect(),
            colours: Colours::Sequential { label: "pressure [MPa]".into() },
        });
        assert!(svg.len() < 4_000_000, "{} bytes", svg.len());
        assert!(svg.contains("pressure [MPa]"));
    }
}
