//! A figure for each quantity, with a curve per run.

use super::quantities::Quantity;
use crate::energy::{TOTAL, Term, TermClass};
use crate::plot::{Curve, CurveKind, Figure, Panel};
use crate::results::{BALANCE, Columns, DISSIPATION, Series};
use crate::units::{Dimension, Units, axis_label};

/// The runs to draw, by their labels.
pub struct Runs<'a> {
    /// Label and series of each.
    pub finished: &'a [(&'a str, &'a Series)],
    /// Of all of them, or empty.
    pub title: &'a str,
    /// Of all of them, or empty.
    pub units: &'a str,
}

/// More panels than this nobody looks at; the file of numbers has all columns.
const MOST_PANELS: usize = 24;
/// Where smooth curves of runs coincide, both are seen.
const STYLES: [CurveKind; 3] = [CurveKind::Line, CurveKind::Dashed, CurveKind::Dotted];

/// Energies below this share of the largest are zero.
const ROUNDING: f64 = 1e-13;

/// Column, label and style of a curve.
type StyledColumn = (&'static str, &'static str, CurveKind);

const ALL_ENERGIES: StyledColumn = (TOTAL, "total energy", CurveKind::Line);
const TAKEN: StyledColumn = (DISSIPATION, "work of damping, contact and scheme", CurveKind::Line);
const BALANCED: StyledColumn = (BALANCE, "energy at the start + all works", CurveKind::Dashed);

impl Runs<'_> {
    /// The figure of a quantity: a panel per column with a curve per run, but for `energies`, which
    /// has two panels per run.
    pub fn figure(&self, quantity: &Quantity) -> Figure {
        let (panels, columns) = match quantity.name {
            "energies" => (self.energy_panels(), Some(2)),
            _ => (self.column_panels(quantity), None),
        };
        Figure { title: self.title_of(quantity), panels, columns }
    }

    fn title_of(&self, quantity: &Quantity) -> String {
        let shown = match quantity.columns.len() {
            many if many > MOST_PANELS => format!(", {MOST_PANELS} of {many} columns"),
            _ => String::new(),
        };
        let units = match Units::parse(self.units) {
            None if !self.units.is_empty() => format!(" ({})", self.units),
            _ => String::new(),
        };
        let case = if self.title.is_empty() { String::new() } else { format!("{}: ", self.title) };
        capitalised(&format!("{case}{}{shown}{units}", quantity.title))
    }

    /// A panel per column, a curve per run that has it.
    fn column_panels(&self, quantity: &Quantity) -> Vec<Panel> {
        let several = quantity.columns.len() > 1;
        let panel = |column: &String| {
            let title = if several { words_of(column) } else { String::new() };
            let mut panel = self.panel(title, quantity.title, quantity.dimension);
            for (k, (label, series)) in self.finished.iter().enumerate() {
                let source = quantity.source(series);
                let kind =
                    if quantity.of_a_step { CurveKind::Line } else { STYLES[k % STYLES.len()] };
                panel.curves.extend(source.and_then(|s| curve_of(s, column, label, kind)));
            }
            panel
        };
        let worth_it = |column: &&String| self.is_worth_a_panel(quantity, column);
        let mut columns: Vec<&String> = quantity.columns.iter().filter(worth_it).collect();
        if columns.is_empty() {
            columns = quantity.columns.iter().collect();
        }
        columns.into_iter().take(MOST_PANELS).map(panel).collect()
    }

    /// Whether anything happens in a column: it is not zero throughout, and not of a contact that never
    /// acts.
    fn is_worth_a_panel(&self, quantity: &Quantity, column: &str) -> bool {
        let happens = |name: &str| {
            let found = self.finished.iter().filter_map(|(_, run)| quantity.source(run)?.get(name));
            let mut found = found.peekable();
            found.peek()?;
            Some(found.flatten().any(|value| *value != 0.0))
        };
        let object = column.rsplit_once('.').map_or(column, |(object, _)| object);
        happens(column) == Some(true) && happens(&format!("{object}.p_n")) != Some(false)
    }

    /// For each run its energies and works, and the total energy over the sum of the works, as figures
    /// 9 and 10 of the paper have them.
    fn energy_panels(&self) -> Vec<Panel> {
        let of_run = |(label, series): &(&str, &Series)| {
            let titles = [label.to_string(), format!("{label}: balance")];
            self.energies_of(series, titles)
        };
        self.finished.iter().flat_map(of_run).collect()
    }

    /// Energies and works of a run, and its balance.
    pub(super) fn energies_of(&self, series: &Series, titles: [String; 2]) -> [Panel; 2] {
        let [parts, balance] = titles.map(|title| self.panel(title, "energy", Dimension::Energy));
        let line = |term: Term| (term.line().column, term.line().name, CurveKind::Line);
        let supplied = Term::of(TermClass::Supplied).map(line);
        let left = Term::energies().map(line).chain([ALL_ENERGIES]).chain(supplied).chain([TAKEN]);
        let drawn = |list: &[StyledColumn]| curves_of(&series.history, list);
        [
            Panel { curves: drawn(&left.collect::<Vec<_>>()), ..parts },
            Panel { curves: drawn(&[ALL_ENERGIES, BALANCED]), ..balance },
        ]
    }

    /// An empty panel over time.
    pub(super) fn panel(&self, title: String, y_words: &str, dimension: Dimension) -> Panel {
        let units = Units::parse(self.units);
        Panel {
            title,
            x_label: axis_label("time", Dimension::Time, units.as_ref()),
            y_label: axis_label(short(y_words), dimension, units.as_ref()),
            ..Panel::default()
        }
    }
}

/// A column in words; those of trajectories are names of the case.
fn words_of(column: &str) -> String {
    let term = Term::ALL.into_iter().find(|term| term.line().column == column);
    term.map_or(column, |term| term.line().name).into()
}

/// With a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// What fits beside an axis.
fn short(words: &str) -> &str {
    if words.contains("work") { "work" } else { words }
}

/// Columns with label and style. What is zero throughout but for rounding, as the potential of no load,
/// is left out.
pub(super) fn curves_of(columns: &Columns, list: &[(&str, &str, CurveKind)]) -> Vec<Curve> {
    let drawn =
        |&(column, label, kind): &(&str, &str, CurveKind)| curve_of(columns, column, label, kind);
    let curves: Vec<Curve> = list.iter().filter_map(drawn).collect();
    let largest = |c: &Curve| c.points.iter().map(|p| p[1].abs()).fold(0.0, f64::max);
    let scale = curves.iter().map(largest).fold(0.0, f64::max);
    curves.into_iter().filter(|c| largest(c) > ROUNDING * scale).collect()
}

/// A column over time.
pub(super) fn curve_of(
    columns: &Columns,
    name: &str,
    label: &str,
    kind: CurveKind,
) -> Option<Curve> {
    let values = columns.get(name)?;
    let points = columns.time.iter().zip(values).map(|(&t, &y)| [t, y]).collect();
    Some(Curve { label: label.into(), points, kind })
}

#[cfg(test)]
mod tests {
    use super::super::quantities;
    use super::*;

    /// Two runs of different steps, one without the second contact.
    fn runs() -> [Series; 2] {
        let history =
            Columns::given(&[0.0, 1.0], &[("total", &[1.0, 1.0]), (BALANCE, &[1.0, 1.0])]);
        let first = Columns::given(&[0.0, 1.0], &[("a.p_n", &[0.0, 1.0]), ("b.p_n", &[0.0, 2.0])]);
        let second = Columns::given(&[0.0, 2.0, 4.0], &[("a.p_n", &[0.0, 1.0, 0.5])]);
        [first, second].map(|t| Series { history: history.clone(), trajectory: Some(t) })
    }

    #[test]
    fn a_panel_per_column_holds_a_curve_per_run_that_has_it() {
        let [a, b] = runs();
        let finished = [("one", &a), ("two", &b)];
        let drawn = Runs { finished: &finished, title: "Rod", units: "m, s, kg" };
        let quantities = quantities::all(&finished);
        let impulse = quantities.iter().find(|q| q.name == "impulse").unwrap();
        let figure = drawn.figure(impulse);
        assert_eq!(figure.title, "Rod: impulse of the step");
        let curves: Vec<usize> = figure.panels.iter().map(|panel| panel.curves.len()).collect();
        assert_eq!(curves, [2, 1]);
        assert_eq!(figure.panels[0].curves[1].points, [[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]]);
        assert_eq!(figure.panels[0].y_label, "impulse of the step [N·s]");
        let energies = drawn.figure(&quantities[1]);
        let titles: Vec<&str> = energies.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["one", "one: balance", "two", "two: balance"]);
    }
}
