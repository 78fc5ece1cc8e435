//! Rates of convergence: how an error falls with a parameter, fitted in logarithms.

use std::fmt::Write;

use super::columns::{self, Column};
use super::file::{ConvergenceFile, Text};
use super::plan::short;
use super::table::{Cell, StudyTable};
use crate::compare::quoted;
use crate::error::Error;
use crate::output::keys_of_largest_works;
use crate::plot::{Curve, CurveKind, Figure, Panel};
use crate::units::{Dimension, Units, axis_label};

/// What converges, over what.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convergence {
    pub name: String,
    /// Key of the horizontal axis: one that is varied, or a value of the summary.
    pub against: String,
    /// The varied key that changes from point to point.
    along: String,
    pub error_of: Column,
    reference: Reference,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Reference {
    Exact(f64),
    /// The smallest of a varied key, the largest of a count.
    Finest,
}

/// A point of a series: where it is, what was found, and how far off that is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RatePoint {
    x: f64,
    value: f64,
    error: f64,
}

/// The runs that differ only in the key along which the error falls, and the line through them:
///
/// ```text
///     log error = log c + p log x                    least squares
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RateSeries {
    /// Name of the convergence.
    pub name: String,
    /// The other varied keys; empty where there are none.
    pub label: String,
    /// The value that errors are measured from.
    pub reference: f64,
    /// c and p; none with fewer than two points that have an error.
    pub fit: Option<[f64; 2]>,
    points: Vec<RatePoint>,
}

impl Convergence {
    pub fn of(
        text: &Text,
        name: &str,
        file: &ConvergenceFile,
        varied: &[String],
    ) -> Result<Self, Error> {
        let complain = |key: &str, message: &str| {
            let place = text.offset(&["convergence", name, key]);
            text.error(place, format!("convergence.{name}.{key}: {message}"))
        };
        let plain = |c: char| c.is_alphanumeric() || "_-".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            let message =
                format!("convergence: '{name}' names a file; give letters, digits, _ and -");
            return Err(text.error(text.offset(&["convergence", name]), message));
        }
        let known = || varied.join(", ");
        let column = |key: &str, of: &str| {
            columns::column(of).map_err(|error| complain(key, &error.to_string()))
        };
        let is_varied = |key: &String| varied.contains(key);
        let along = match (&file.along, varied) {
            (Some(along), _) if is_varied(along) => along.clone(),
            (Some(along), _) => {
                let message = format!("'{along}' is not varied; varied are: {}", known());
                return Err(complain("along", &message));
            }
            (None, _) if is_varied(&file.against) => file.against.clone(),
            (None, [only]) => only.clone(),
            (None, _) => {
                let message = format!(
                    "'{}' is not varied; name the key that changes it with `along`: one of {}",
                    file.against,
                    known()
                );
                return Err(complain("against", &message));
            }
        };
        if !is_varied(&file.against) {
            column("against", &file.against)?;
        }
        let reference = match &file.reference {
            toml::Value::Float(exact) if exact.is_finite() => Reference::Exact(*exact),
            toml::Value::Integer(exact) => Reference::Exact(*exact as f64),
            toml::Value::String(word) if word == "finest" => Reference::Finest,
            other => {
                let message = format!("{other} does not fit; give a number or \"finest\"");
                return Err(complain("reference", &message));
            }
        };
        let error_of = column("error_of", &file.error_of)?;
        Ok(Self { name: name.into(), against: file.against.clone(), along, error_of, reference })
    }

    /// The columns that it needs of a summary.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        columns::column(&self.against).into_iter().chain([self.error_of.clone()])
    }

    /// A series for each combination of the other varied keys, in the order of the plan. `table` has the
    /// varied keys and the columns of [`Self::columns`].
    pub fn series(&self, table: &StudyTable, varied: &[String]) -> Vec<RateSeries> {
        let others: Vec<&str> =
            varied.iter().map(String::as_str).filter(|key| *key != self.along).collect();
        let mut groups: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
        for row in 0..table.rows() {
            let number = |name: &str| table.column(name)?.cells[row].as_ref()?.number();
            let found = number(&self.against).zip(number(&self.error_of.key));
            let Some((x, value)) = found.filter(|(x, value)| x.is_finite() && value.is_finite())
            else {
                continue;
            };
            let part = |key: &&str| {
                let cell = table.column(key)?.cells[row].as_ref().map(Cell::text)?;
                Some(format!("{}={cell}", short(key, &others)))
            };
            let label = others.iter().filter_map(part).collect::<Vec<String>>().join(", ");
            match groups.iter_mut().find(|(known, _)| *known == label) {
                Some((_, points)) => points.push([x, value]),
                None => groups.push((label, vec![[x, value]])),
            }
        }
        let grows = !varied.contains(&self.against);
        groups.into_iter().map(|(label, points)| self.fitted(label, points, grows)).collect()
    }

    fn fitted(&self, label: String, mut found: Vec<[f64; 2]>, grows: bool) -> RateSeries {
        let fineness = |x: f64| if grows { -x } else { x };
        found.sort_by(|a, b| fineness(b[0]).total_cmp(&fineness(a[0])));
        let reference = match self.reference {
            Reference::Exact(exact) => exact,
            Reference::Finest => found.pop().map_or(f64::NAN, |[_, value]| value),
        };
        let point = |[x, value]: [f64; 2]| RatePoint { x, value, error: (value - reference).abs() };
        let points: Vec<RatePoint> = found.into_iter().map(point).collect();
        let fit = fit(&points);
        RateSeries { name: self.name.clone(), label, reference, fit, points }
    }

    /// Errors and lines over the parameter, in logarithms.
    pub fn figure(&self, title: &str, units: &str, series: &[RateSeries]) -> Figure {
        let mut curves = Vec::new();
        for one in series {
            let label = one.legend();
            let points = one.points.iter().map(|point| [point.x, point.error]).collect();
            if let Some([c, p]) = one.fit {
                let line = one.points.iter().map(|point| [point.x, c * point.x.powf(p)]).collect();
                curves.push(Curve { label: label.clone(), points: line, kind: CurveKind::Line });
            }
            curves.push(Curve { label, points, kind: CurveKind::Points });
        }
        let panel = Panel {
            x_label: with_unit(&self.against, &self.against, units),
            y_label: with_unit(
                &format!("error of {}", self.error_of.key),
                &self.error_of.key,
                units,
            ),
            log_x: true,
            log_y: true,
            curves,
            ..Panel::default()
        };
        let title =
            if title.is_empty() { self.name.clone() } else { format!("{title}: {}", self.name) };
        Figure { title, panels: vec![panel], columns: None }
    }
}

fn is_largest_work(key: &str) -> bool {
    let key = key.strip_prefix("certificate.");
    key.is_some_and(|key| keys_of_largest_works().any(|own| own == key))
}

/// Words with the unit of the key they are about, where it has one.
fn with_unit(words: &str, key: &str, units: &str) -> String {
    let dimension = match key {
        "scheme.step" | "scheme.end" | "scheme.largest_stable_step" => Dimension::Time,
        "certificate.energy_scale" => Dimension::Energy,
        key if key.starts_with("energies.") => Dimension::Energy,
        key if is_largest_work(key) => Dimension::Energy,
        _ => return words.into(),
    };
    axis_label(words, dimension, Units::parse(units).as_ref())
}

impl RateSeries {
    /// Points that have an error and so count in the fit.
    pub fn points(&self) -> usize {
        self.points.iter().filter(|point| counts(point)).count()
    }

    fn legend(&self) -> String {
        let rate = self.fit.map_or("no slope".to_string(), |[_, p]| format!("slope {p:.3}"));
        if self.label.is_empty() { rate } else { format!("{}: {rate}", self.label) }
    }
}

/// Whether a point has a logarithm.
fn counts(point: &RatePoint) -> bool {
    point.x > 0.0 && point.error > 0.0 && point.error.is_finite()
}

/// c and p of error = c xᵖ by least squares in logarithms.
fn fit(points: &[RatePoint]) -> Option<[f64; 2]> {
    let logs: Vec<[f64; 2]> =
        points.iter().filter(|p| counts(p)).map(|p| [p.x.ln(), p.error.ln()]).collect();
    let mean = |k: usize| logs.iter().map(|pair| pair[k]).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let covariance: f64 = logs.iter().map(|[a, b]| (a - x) * (b - y)).sum();
    let variance: f64 = logs.iter().map(|[a, _]| (a - x) * (a - x)).sum();
    let slope = covariance / variance;
    (logs.len() > 1 && variance > 0.0).then(|| [(y - slope * x).exp(), slope])
}

/// The text of `convergence.csv`.
pub(super) fn csv(all: &[(&Convergence, Vec<RateSeries>)]) -> String {
    let mut csv =
        String::from("convergence,series,against,x,error_of,value,reference,error,fitted,slope\n");
    for (convergence, series) in all {
        for one in series {
            for point in &one.points {
                let fitted =
                    one.fit.map_or(String::new(), |[c, p]| format!("{:?}", c * point.x.powf(p)));
                let slope = one.fit.map_or(String::new(), |[_, p]| format!("{p:?}"));
                let _ = writeln!(
                    csv,
                    "{},{},{},{:?},{},{:?},{:?},{:?},{fitted},{slope}",
                    quoted(&convergence.name),
                    quoted(&one.label),
                    quoted(&convergence.against),
                    point.x,
                    convergence.error_of.key,
                    point.value,
                    one.reference,
                    point.error
                );
            }
        }
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::columns::ColumnKind as Holds;
    use crate::study::table::Gathered;

    /// Two series, y = 1 + c xᵖ with (c, p) = (3, 2) and (1, 1), out of order and with a blank.
    fn table() -> StudyTable {
        let column = |name: &str, values: &[f64]| Gathered {
            name: name.into(),
            kind: Holds::Number,
            cells: values.iter().map(|&v| (!v.is_nan()).then_some(Cell::Number(v))).collect(),
        };
        let x = [0.1, 0.4, 0.2, 0.05, 0.4, 0.2, 0.1];
        let set = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5];
        let law = |k: usize| if set[k] == 0.0 { 3.0 * x[k] * x[k] } else { x[k] };
        let mut y: Vec<f64> = (0..x.len()).map(|k| 1.0 + law(k)).collect();
        y[3] = f64::NAN;
        StudyTable {
            columns: vec![
                column("scheme.step", &x),
                column("contact.floor.friction", &set),
                column("energies.total", &y),
            ],
        }
    }

    fn convergence(written: &str) -> Result<Convergence, Error> {
        let text = Text::given(&format!("case = \"c\"\n[convergence.e]\n{written}"));
        let file = text.parse().unwrap();
        Convergence::of(&text, "e", &file.convergence["e"], &varied())
    }

    fn varied() -> Vec<String> {
        ["scheme.step", "contact.floor.friction"].map(String::from).to_vec()
    }

    const KEYS: &str = "against = \"scheme.step\"\nerror_of = \"energies.total\"\n";

    /// Powers fit themselves: rounding of the logarithms only.
    #[test]
    fn the_slope_of_a_power_is_its_exponent_for_each_series() {
        let energy = convergence(&format!("{KEYS}reference = 1\n")).unwrap();
        let series = energy.series(&table(), &varied());
        let labels: Vec<&str> = series.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(labels, ["friction=0.0", "friction=0.5"]);
        for (one, [c, p]) in series.iter().zip([[3.0, 2.0], [1.0, 1.0]]) {
            let fit = one.fit.unwrap();
            assert!((fit[0] - c).abs() < 1e-12 && (fit[1] - p).abs() < 1e-12, "{fit:?}");
            assert_eq!(one.points(), 3, "the blank is left out");
        }
        let svg = energy.figure("Study", "mm, ms, g", &series).to_svg();
        assert!(svg.contains("scheme.step [ms]") && svg.contains("error of energies.total [N·mm]"));
        assert!(
            svg.contains("friction=0.0: slope 2.000") && svg.contains("friction=0.5: slope 1.000")
        );
        let csv = csv(&[(&energy, series)]);
        assert!(
            csv.lines().nth(1).unwrap().starts_with("e,friction=0.0,scheme.step,0.4,"),
            "{csv}"
        );
        assert_eq!(csv.lines().count(), 7);
    }

    #[test]
    fn the_finest_run_is_the_reference_and_no_point() {
        let energy = convergence(&format!("{KEYS}reference = \"finest\"\n")).unwrap();
        let series = energy.series(&table(), &varied());
        assert_eq!(series[1].reference, 1.1);
        assert_eq!(series[1].points.iter().map(|p| p.x).collect::<Vec<_>>(), [0.4, 0.2]);
    }

    #[test]
    fn what_cannot_converge_is_named() {
        for (written, told) in [
            (
                "against = \"scheme.setp\"\nerror_of = \"energies.total\"\nreference = 1\n"
                    .to_string(),
                "s.toml:3: convergence.e.against: 'scheme.setp' is not varied; name the key",
            ),
            (
                format!("{KEYS}reference = \"best\"\n"),
                "s.toml:5: convergence.e.reference: \"best\"",
            ),
            (
                "against = \"scheme.step\"\nerror_of = \"energy\"\nreference = 1\n".to_string(),
                "s.toml:4: convergence.e.error_of: 'energy' is no value of summary.json",
            ),
            (
                format!("{KEYS}reference = 1\nalong = \"mesh.file\"\n"),
                "s.toml:6: convergence.e.along: 'mesh.file' is not varied; varied are: scheme.step",
            ),
        ] {
            let error = convergence(&written).unwrap_err().to_string();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
