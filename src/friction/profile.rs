//! Performance profiles: which method solves how many problems how fast (Dolan and Moré 2002).

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

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
    pub curves: Vec<Curve>,
}

/// One method.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
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
        let mut methods: BTreeMap<&str, Curve> = BTreeMap::new();
        for trial in trials {
            let method = trial.solver.clone();
            let none = Curve { method, ratios: Vec::new(), wins: 0 };
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
        let mut curves: Vec<Curve> = methods.into_values().collect();
        curves.iter_mut().for_each(|curve| curve.ratios.sort_by(f64::total_cmp));
        let rank = |c: &Curve| (std::cmp::Reverse(c.ratios.len()), std::cmp::Reverse(c.wins));
        curves.sort_by_key(rank);
        Self { problems: times.len(), curves }
    }

    /// The curves over log₂ τ as an SVG picture.
    pub fn to_svg(&self, title: &str) -> String {
        let mut svg = String::new();
        let text = |svg: &mut String, x: f64, y: f64, anchor: &str, text: &str| {
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#,
                escaped(text)
            );
        };
        let _ = writeln!(
            svg,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##
        );
        text(&mut svg, LEFT, TOP - 18.0, "start", title);
        let octaves = self.octaves();
        let x = |ratio: f64| LEFT + (RIGHT - LEFT) * ratio.log2() / octaves;
        let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share;
        for octave in 0..=octaves as usize {
            let at = x(2f64.powi(octave as i32));
            line(&mut svg, [at, TOP, at, BOTTOM]);
            if octave % 2 == 0 {
                text(&mut svg, at, BOTTOM + 20.0, "middle", &format!("{}", 1u64 << octave));
            }
        }
        for tenth in 0..=5 {
            let share = f64::from(tenth) / 5.0;
            line(&mut svg, [LEFT, y(share), RIGHT, y(share)]);
            text(&mut svg, LEFT - 8.0, y(share) + 5.0, "end", &format!("{:.0} %", 100.0 * share));
        }
        text(&mut svg, (LEFT + RIGHT) / 2.0, BOTTOM + 44.0, "middle", "time / time of the fastest");
        let leading = ((HEIGHT - TOP - 16.0) / self.curves.len().max(1) as f64).min(22.0);
        for (rank, curve) in self.curves.iter().enumerate() {
            let (colour, dash) =
                (COLOURS[rank % COLOURS.len()], DASHES[rank / COLOURS.len() % DASHES.len()]);
            let path = self.path(curve, x, y);
            let _ = writeln!(
                svg,
                r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>"#
            );
            let at = TOP + 8.0 + leading * rank as f64;
            let _ = writeln!(
                svg,
                r#"<path d="M{} {at}h26" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"/>"#,
                RIGHT + 16.0
            );
            let label = format!("{} ({}/{})", curve.method, curve.ratios.len(), self.problems);
            text(&mut svg, RIGHT + 48.0, at + 5.0, "start", &label);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Width of the picture in powers of two.
    fn octaves(&self) -> f64 {
        let last = self.curves.iter().filter_map(|curve| curve.ratios.last());
        let largest = last.copied().fold(2.0, f64::max);
        largest.log2().ceil().clamp(1.0, 14.0)
    }

    fn path(&self, curve: &Curve, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
        let mut path = format!("M{:.1} {:.1}", x(1.0), y(0.0));
        for (solved, &ratio) in curve.ratios.iter().enumerate() {
            let share = (solved + 1) as f64 / self.problems as f64;
            let at = x(ratio).min(RIGHT);
            let _ = write!(path, "H{at:.1}V{:.1}", y(share));
        }
        let _ = write!(path, "H{RIGHT:.1}");
        path
    }
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 490.0;
/// Told apart by people who do not see all colours (Okabe and Ito 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const DASHES: [&str; 4] = ["none", "6 4", "2 3", "10 3 2 3"];

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(
        svg,
        r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#ddd"/>"##
    );
}

fn escaped(text: &str) -> String {
    text.replace(char::is_control, " ").replace('&', "&amp;").replace('<', "&lt;")
}

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
