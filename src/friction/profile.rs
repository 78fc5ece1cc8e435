//! Performance profiles: which method solves how many problems how fast (Dolan and Moré 2002).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::plot::{self, Figure, Panel};

/// One method on one problem, by this program or by another one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Trial {
    /// The problem's name.
    pub problem: String,
    /// The method's name.
    pub solver: String,
    /// Whether it reached the tolerance.
    #[serde(alias = "converged")]
    pub ok: bool,
    /// Seconds it took.
    pub seconds: Option<f64>,
}

/// For every method, the share of problems that it solves within τ times the time of the fastest:
///
/// ```text
///     ρ_m(τ) = |{ problems : t_m ≤ τ min over all methods of t }| / |problems|
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Number of problems.
    pub problems: usize,
    /// The methods, best first.
    pub curves: Vec<MethodCurve>,
}

/// One method.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodCurve {
    /// Its name.
    pub method: String,
    /// t/t_fastest of the problems it solved, ascending.
    pub ratios: Vec<f64>,
    /// Problems on which it was the fastest.
    pub wins: usize,
}

/// Seconds below which times are not told apart.
const SHORTEST: f64 = 1e-9;

impl Profile {
    /// Of a number of trials; one method may have several on one problem, the fastest counts.
    pub fn new(trials: &[Trial]) -> Self {
        let mut times: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        let mut methods: BTreeMap<&str, MethodCurve> = BTreeMap::new();
        for trial in trials {
            let method = trial.solver.clone();
            let none = MethodCurve { method, ratios: Vec::new(), wins: 0 };
            methods.entry(&trial.solver).or_insert(none);
            let row = times.entry(&trial.problem).or_default();
            if let (true, Some(seconds)) = (trial.ok, trial.seconds) {
                let least = row.entry(&trial.solver).or_insert(f64::INFINITY);
                *least = least.min(seconds.max(SHORTEST));
            }
        }
        for row in times.values() {
            let fastest = row.values().copied().fold(f64::INFINITY, f64::min);
            for (method, &seconds) in row {
                if let Some(curve) = methods.get_mut(method) {
                    curve.ratios.push(seconds / fastest);
                    curve.wins += usize::from(seconds == fastest);
                }
            }
        }
        let mut curves: Vec<MethodCurve> = methods.into_values().collect();
        curves.iter_mut().for_each(|curve| curve.ratios.sort_by(f64::total_cmp));
        let rank = |c: &MethodCurve| (std::cmp::Reverse(c.ratios.len()), std::cmp::Reverse(c.wins));
        curves.sort_by_key(rank);
        Self { problems: times.len(), curves }
    }

    /// The curves over τ as an SVG picture.
    pub fn to_svg(&self, title: &str) -> String {
        let last = self.curves.iter().filter_map(|curve| curve.ratios.last());
        let end = last.copied().fold(2.0, f64::max).min(LARGEST_RATIO);
        let panel = Panel {
            x_label: "time / time of the fastest".into(),
            y_label: "problems solved [%]".into(),
            log_x: true,
            curves: self.curves.iter().map(|curve| self.steps(curve, end)).collect(),
            ..Panel::default()
        };
        Figure { title: title.into(), panels: vec![panel], columns: None }.to_svg()
    }

    /// A method's curve, which steps up at the ratio of each problem it solved.
    fn steps(&self, curve: &MethodCurve, end: f64) -> plot::Curve {
        let share = |solved: usize| 100.0 * solved as f64 / self.problems as f64;
        let mut points = vec![[1.0, 0.0]];
        for (solved, &ratio) in curve.ratios.iter().enumerate() {
            let at = ratio.min(end);
            points.extend([[at, share(solved)], [at, share(solved + 1)]]);
        }
        points.push([end, share(curve.ratios.len())]);
        let label = format!("{} ({}/{})", curve.method, curve.ratios.len(), self.problems);
        plot::Curve { label, points, kind: plot::CurveKind::Line }
    }
}

/// Ratios are drawn up to this.
const LARGEST_RATIO: f64 = 16384.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(problem: &str, solver: &str, seconds: Option<f64>) -> Trial {
        Trial { problem: problem.into(), solver: solver.into(), ok: seconds.is_some(), seconds }
    }

    #[test]
    fn a_profile_counts_what_is_solved_and_how_far_from_the_fastest() {
        let profile = Profile::new(&[
            trial("one", "slow", Some(4.0)),
            trial("one", "fast", Some(1.0)),
            trial("two", "slow", Some(3.0)),
            trial("two", "fast", None),
            trial("three", "fast", None),
        ]);
        assert_eq!(profile.problems, 3);
        let [slow, fast] = &profile.curves[..] else { panic!("two methods") };
        assert_eq!(
            (slow.method.as_str(), &slow.ratios[..], slow.wins),
            ("slow", &[1.0, 4.0][..], 1)
        );
        assert_eq!((fast.method.as_str(), &fast.ratios[..], fast.wins), ("fast", &[1.0][..], 1));
        let svg = profile.to_svg("a < b");
        assert!(
            svg.contains("slow (2/3)") && svg.contains("a &lt; b") && svg.ends_with("</svg>\n")
        );
    }
}
