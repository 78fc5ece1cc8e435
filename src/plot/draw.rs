//! The SVG of a figure.

use std::fmt::Write;

use super::axis::power_of_ten;
use super::layout::{FONT, Layout, LegendEntry, LegendSample, PanelFrame, SAMPLE};
use super::raster::draw_raster;
use super::{Curve, CurveKind, Figure, trace};

/// Told apart by people who do not see all colours (Okabe and Ito 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000", "#56b4e9"];
/// For lines beyond the colours.
const DASHES: [&str; 4] = ["", "6 3", "2 2", "9 3 2 3"];
const NO_LABEL: &str = "#777777";
const INK: &str = "#222222";
const GRID: &str = "#e3e3e3";
const LINE_WIDTH: f64 = 1.4;
const DOT_WIDTH: f64 = 3.0;
const SPECK_WIDTH: f64 = 1.5;

/// The picture as text, as wide as it likes or so many pixels wide.
pub(super) fn svg(figure: &Figure, wanted: Option<f64>) -> String {
    let layout = Layout::new(figure, wanted);
    let [width, height] = [layout.width.ceil(), layout.height.ceil()];
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" font-size="{FONT}" fill="{INK}">
<rect width="{width}" height="{height}" fill="#ffffff"/>
"##
    );
    let _ = writeln!(
        svg,
        r#"<text x="{:.1}" y="{:.1}" text-anchor="middle" font-size="{}">{}</text>"#,
        0.5 * width,
        layout.title,
        layout.title_font,
        escaped(&figure.title)
    );
    for entry in &layout.legend {
        draw_entry(&mut svg, entry, &layout.labels);
    }
    for frame in &layout.frames {
        if let Some(raster) = &frame.panel.raster {
            draw_raster(&mut svg, frame, raster);
        }
        draw_grid(&mut svg, frame);
        draw_curves(&mut svg, frame, &layout.labels);
        draw_words(&mut svg, frame);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_entry(svg: &mut String, entry: &LegendEntry, labels: &[&str]) {
    let LegendEntry { label, sample, left, middle } = *entry;
    match sample {
        LegendSample::Curve(CurveKind::Points | CurveKind::Specks) => {
            let path = format!("M{:.1} {middle:.1}h0", left + 0.5 * SAMPLE);
            draw_path(svg, &path, label, CurveKind::Points, labels);
        }
        LegendSample::Curve(kind) => {
            let path = format!("M{left:.1} {middle:.1}h{SAMPLE}");
            draw_path(svg, &path, label, kind, labels);
        }
        LegendSample::Patch(colour) => {
            let (x, y) = (left + SAMPLE - 14.0, middle - 7.0);
            let _ = writeln!(
                svg,
                r##"<rect x="{x:.1}" y="{y:.1}" width="14" height="14" fill="{colour}" stroke="#888888" stroke-width="0.5"/>"##
            );
        }
    }
    write_text(svg, [left + SAMPLE + 8.0, middle + 4.0], "start", label);
}

fn draw_grid(svg: &mut String, frame: &PanelFrame) {
    let &PanelFrame { left, top, width, height, .. } = frame;
    let mut path = String::new();
    for tick in &frame.x.ticks {
        let at = left + width * tick.share;
        let _ = write!(path, "M{at:.1} {top:.1}v{height}");
        write_text(svg, [at, top + height + 16.0], "middle", &tick.label);
    }
    for tick in &frame.y.ticks {
        let at = top + height * (1.0 - tick.share);
        let _ = write!(path, "M{left:.1} {at:.1}h{width}");
        write_text(svg, [left - 6.0, at + 4.0], "end", &tick.label);
    }
    // Over colours a grid would be read as one of them.
    if frame.panel.raster.is_none() {
        let _ = writeln!(svg, r#"<path d="{path}" stroke="{GRID}" fill="none"/>"#);
    }
    let _ = writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width}" height="{height}" fill="none" stroke="#888888"/>"##
    );
}

fn draw_curves(svg: &mut String, frame: &PanelFrame, labels: &[&str]) {
    for curve in painting_order(&frame.panel.curves) {
        let points = curve.points.iter().map(|&point| frame.place(point));
        let path = match curve.kind {
            CurveKind::Line | CurveKind::Dashed | CurveKind::Dotted | CurveKind::Stroke(_) => {
                trace::line(points)
            }
            CurveKind::Points | CurveKind::Specks => trace::dots(points),
        };
        draw_path(svg, &path, &curve.label, curve.kind, labels);
    }
}

/// As given; but plain lines alone are painted from the tallest to the flattest, to the power of two, so
/// that a line that stays near zero is not buried under one that fills the panel.
fn painting_order(curves: &[Curve]) -> Vec<&Curve> {
    let mut order: Vec<&Curve> = curves.iter().collect();
    if curves.iter().all(|curve| curve.kind == CurveKind::Line) {
        let height = |curve: &&Curve| {
            let values = curve.points.iter().map(|point| point[1]).filter(|y| y.is_finite());
            let (low, high) = values.fold((0.0, 0.0), |(l, h): (f64, f64), y| (l.min(y), h.max(y)));
            std::cmp::Reverse((high - low).max(f64::MIN_POSITIVE).log2().round() as i64)
        };
        order.sort_by_key(height);
    }
    order
}

/// A path in the colour of its label.
fn draw_path(svg: &mut String, path: &str, label: &str, kind: CurveKind, labels: &[&str]) {
    if path.is_empty() {
        return;
    }
    let rank = labels.iter().position(|known| *known == label);
    let colour = rank.map_or(NO_LABEL, |rank| COLOURS[rank % COLOURS.len()]);
    let dashes = match kind {
        CurveKind::Line | CurveKind::Points | CurveKind::Specks => {
            DASHES[rank.unwrap_or(0) / COLOURS.len() % DASHES.len()]
        }
        CurveKind::Stroke(_) => "",
        CurveKind::Dashed => "6 4",
        CurveKind::Dotted => "2 2.5",
    };
    let (cap, width, dashes) = match kind {
        CurveKind::Points => ("round", DOT_WIDTH, ""),
        CurveKind::Specks => ("round", SPECK_WIDTH, ""),
        CurveKind::Stroke(width) => ("round", 0.5 * f64::from(width), ""),
        CurveKind::Line if dashes.is_empty() => ("round", LINE_WIDTH, ""),
        CurveKind::Line | CurveKind::Dashed | CurveKind::Dotted => ("butt", LINE_WIDTH, dashes),
    };
    let dashes =
        if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) };
    let _ = writeln!(
        svg,
        r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="{cap}" stroke-linejoin="round"{dashes}/>"#
    );
}

/// Title, labels and powers of ten of a panel.
fn draw_words(svg: &mut String, frame: &PanelFrame) {
    let &PanelFrame { panel, left, top, width, height, .. } = frame;
    let (middle, right) = (left + 0.5 * width, left + width);
    write_text(svg, [middle, top - 8.0], "middle", &panel.title);
    write_text(svg, [middle, top + height + 33.0], "middle", &panel.x_label);
    if frame.y.exponent != 0 {
        let factor = format!("×{}", power_of_ten(frame.y.exponent));
        write_text(svg, [left, top - 6.0], "start", &factor);
    }
    if frame.x.exponent != 0 {
        let factor = format!("×{}", power_of_ten(frame.x.exponent));
        write_text(svg, [right, top + height + 31.0], "end", &factor);
    }
    let beside = frame.y.ticks.iter().map(|tick| super::layout::text_width(&tick.label));
    let (x, y) = (left - 14.0 - beside.fold(0.0, f64::max), top + 0.5 * height);
    let _ = writeln!(
        svg,
        r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle">{}</text>"#,
        escaped(&panel.y_label)
    );
}

pub(super) fn write_text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str) {
    if !text.is_empty() {
        let text = escaped(text);
        let _ =
            writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#);
    }
}

/// `text` as it may stand between tags.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::{Colours, Panel, Raster};
    use super::*;

    /// Every tag that opens closes, attributes are quoted, and nothing else begins with '<'.
    fn assert_well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("a tag ends");
            assert!(!text.contains('>'), "a bare '>' in {text}");
            assert_eq!(tag.matches('"').count() % 2, 0, "an open quote in {tag}");
            let name = tag.split([' ', '/', '\n']).find(|word| !word.is_empty()).unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            let entities = text.split('&').skip(1);
            entities.for_each(|entity| assert!(entity.contains(';'), "a bare '&' in {text}"));
        }
        assert!(open.is_empty(), "left open: {open:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "a number is none");
    }

    fn curve(label: &str, kind: CurveKind, f: impl Fn(f64) -> f64) -> Curve {
        let points = (0..10_000).map(|k| 1e-4 * f64::from(k)).map(|t| [t, f(t)]).collect();
        Curve { label: label.into(), points, kind }
    }

    #[test]
    fn a_figure_is_well_formed_whatever_it_is_given() {
        let panel = Panel {
            title: "a < b & \"c\" > \u{1}".into(),
            curves: vec![
                curve("<one>", CurveKind::Line, |t| if t > 0.5 { f64::NAN } else { t }),
                curve("&two", CurveKind::Points, f64::ln),
                curve("", CurveKind::Dashed, |_| f64::INFINITY),
            ],
            log_y: true,
            ..Panel::default()
        };
        for panels in [0, 1, 2, 3, 7] {
            let panels = vec![panel.clone(); panels];
            assert_well_formed(&Figure { title: "<&>".into(), panels, columns: None }.to_svg());
        }
        assert_well_formed(
            &Figure { panels: vec![Panel::default()], ..Figure::default() }.to_svg(),
        );
    }

    /// Curves and colours of the smallest, the largest and the most different numbers.
    #[test]
    fn a_figure_of_extreme_numbers_is_well_formed() {
        let ends = [5e-324, 1e-318, 1e-160, 1.0, 1e160, f64::MAX];
        let ranges = ends.iter().flat_map(|&high| [[0.0, high], [-high, high], [high, high]]);
        for [low, high] in ranges.chain([[5e-324, f64::MAX]]) {
            let curve = |kind| Curve {
                label: "extreme".into(),
                points: vec![[low, high], [high, low], [0.5 * high, 0.5 * low]],
                kind,
            };
            let curves = vec![curve(CurveKind::Line), curve(CurveKind::Specks)];
            let label = || "[MPa]".to_string();
            for (log_x, colours) in [
                (false, Colours::Sequential { label: label() }),
                (true, Colours::Diverging { label: label() }),
            ] {
                let raster = Raster {
                    x: vec![low, 0.5 * high, high],
                    y: vec![0.0, high, f64::INFINITY],
                    values: vec![vec![low, high], vec![0.0, -high]],
                    colours,
                };
                let panel = |raster| Panel {
                    curves: curves.clone(),
                    raster,
                    log_x,
                    log_y: !log_x,
                    ..Panel::default()
                };
                let panels = vec![panel(None), panel(Some(raster))];
                let figure = Figure { panels, ..Figure::default() };
                for svg in [figure.to_svg(), figure.to_svg_of_width(85.0)] {
                    assert_well_formed(&svg);
                    assert!(svg.len() < 40_000, "{low:e} to {high:e}: {} bytes", svg.len());
                }
            }
        }
    }

    #[test]
    fn ten_thousand_steps_of_noise_stay_below_200_kilobytes() {
        let noise = |t: f64| (1e6 * t * t).sin();
        let curves = ["a", "b", "c"].map(|label| curve(label, CurveKind::Line, noise)).to_vec();
        let panel = Panel { curves, ..Panel::default() };
        let svg = Figure { panels: vec![panel], ..Figure::default() }.to_svg();
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
    }

    #[test]
    fn a_flat_line_is_painted_over_a_tall_one_and_dashes_stay_where_they_are() {
        let flat = curve("flat", CurveKind::Line, |_| 1e-9);
        let tall = curve("tall", CurveKind::Line, |t| t);
        let labels = |curves: &[Curve]| -> Vec<String> {
            painting_order(curves).iter().map(|curve| curve.label.clone()).collect()
        };
        assert_eq!(labels(&[flat.clone(), tall.clone()]), ["tall", "flat"]);
        let dashed = Curve { kind: CurveKind::Dashed, ..tall };
        assert_eq!(labels(&[flat, dashed]), ["flat", "tall"]);
    }

    #[test]
    fn a_label_has_one_colour_in_all_panels_and_one_entry_in_the_legend() {
        let curves = vec![curve("a", CurveKind::Line, |t| t), curve("b", CurveKind::Line, |t| -t)];
        let first = Panel { curves: curves.clone(), ..Panel::default() };
        let second = Panel { curves: curves[1..].to_vec(), ..Panel::default() };
        let svg = Figure { panels: vec![first, second], ..Figure::default() }.to_svg();
        assert_eq!(svg.matches(COLOURS[0]).count(), 2, "a curve and its entry");
        assert_eq!(svg.matches(COLOURS[1]).count(), 3, "two curves and their entry");
        assert_eq!(svg.matches(">b</text>").count(), 1);
    }
}
