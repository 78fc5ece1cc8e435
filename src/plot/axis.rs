//! Axes: which range, which ticks, which numbers at them.

/// A tick and the number beside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// From 0 at the low end of the axis to 1 at the high end.
    pub share: f64,
    pub label: String,
}

/// The range of an axis and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Ends, as logarithms on a logarithmic axis.
    low: f64,
    high: f64,
    log: bool,
    pub ticks: Vec<Tick>,
    /// Power of ten that all numbers are multiplied with; 0 for none.
    pub exponent: i32,
}

/// Ticks are at most about this many.
const MOST_TICKS: f64 = 6.0;
/// A range smaller than this share of the numbers in it is a constant.
const CONSTANT: f64 = 1e-6;
/// What a constant is shown with on both sides.
const ROOM: f64 = 0.05;

impl Axis {
    /// Holds all finite `values`, with a margin on both sides as a share of their range.
    pub fn new(values: impl Iterator<Item = f64>, log: bool, margin: f64) -> Self {
        let seen = values.map(|v| transformed(v, log)).filter(|v| v.is_finite());
        let (low, high) = seen
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = widened(low, high, log);
        let room = margin * (high - low);
        let mut axis =
            Self { low: low - room, high: high + room, log, ticks: Vec::new(), exponent: 0 };
        if log {
            axis.ticks = axis.decades();
        }
        // Less than a decade may hold no round number: then ticks are as on a linear axis.
        if axis.ticks.len() < 2 {
            axis.place_linear_ticks();
        }
        axis
    }

    /// Where a value is: from 0 at the low end to 1 at the high end; not finite where it is nowhere.
    pub fn share(&self, value: f64) -> f64 {
        (transformed(value, self.log) - self.low) / (self.high - self.low)
    }

    fn ends(&self) -> [f64; 2] {
        [self.low, self.high].map(|end| if self.log { 10f64.powf(end) } else { end })
    }

    /// Multiples of a step of 1, 2 or 5 times a power of ten.
    fn place_linear_ticks(&mut self) {
        let [low, high] = self.ends();
        let step = nice((high - low) / MOST_TICKS);
        let (first, last) =
            ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let values: Vec<f64> = (first..=last).map(|k| k as f64 * step).collect();
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        if largest > 0.0 && !(0.01..1e4).contains(&largest) {
            self.exponent = (largest.log10() + 1e-9).floor() as i32;
        }
        let unit = 10f64.powi(self.exponent);
        let digits = (-(step / unit).log10() - 1e-9).ceil().max(0.0) as usize;
        let tick = |&value: &f64| Tick {
            share: self.share(value),
            label: proper(&format!("{:.digits$}", value / unit)),
        };
        self.ticks = values.iter().map(tick).collect();
    }

    /// Powers of ten, each or every few; with 2 and 5 between where there are few.
    fn decades(&self) -> Vec<Tick> {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let span = self.high - self.low;
        let factors: &[f64] = if span <= 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let stride = (span / MOST_TICKS).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for decade in (first..=last).filter(|decade| decade.rem_euclid(stride) == 0) {
            for factor in factors {
                let share = (f64::from(decade) + factor.log10() - self.low) / span;
                if (-1e-9..=1.0 + 1e-9).contains(&share) {
                    ticks.push(Tick {
                        share,
                        label: logarithmic_label(*factor, decade, first, last),
                    });
                }
            }
        }
        ticks
    }
}

fn transformed(value: f64, log: bool) -> f64 {
    if log { if value > 0.0 { value.log10() } else { f64::NAN } } else { value }
}

/// A range that is one: what is empty or constant gets room.
fn widened(low: f64, high: f64, log: bool) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if log {
        return if high - low < CONSTANT { (low - 0.5, high + 0.5) } else { (low, high) };
    }
    match high - low {
        _ if size == 0.0 => (-1.0, 1.0),
        range if range < CONSTANT * size => (low - ROOM * size, high + ROOM * size),
        _ => (low, high),
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
fn nice(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// With a real minus sign, and none before zero.
fn proper(number: &str) -> String {
    let is_zero = number.chars().all(|c| "-0.".contains(c));
    if is_zero { number.replace('-', "") } else { number.replace('-', "−") }
}

fn logarithmic_label(factor: f64, decade: i32, first: i32, last: i32) -> String {
    if first >= -2 && last <= 4 {
        return format!("{}", factor * 10f64.powi(decade));
    }
    match factor {
        1.0 => power_of_ten(decade),
        _ => format!("{factor}·{}", power_of_ten(decade)),
    }
}

/// 10ⁿ.
pub(super) fn power_of_ten(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], log: bool) -> (Vec<String>, i32) {
        let axis = Axis::new(values.iter().copied(), log, 0.0);
        (axis.ticks.into_iter().map(|tick| tick.label).collect(), axis.exponent)
    }

    #[test]
    fn ticks_are_round_numbers_and_share_a_power_of_ten() {
        assert_eq!(labels(&[0.0, 1.0], false).0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&[-1.0, 1.0], false).0, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        let (small, exponent) = labels(&[0.0, 2.4e-3], false);
        assert_eq!((&small[..3], exponent), (&["0.0", "0.5", "1.0"].map(String::from)[..], -3));
        let (large, exponent) = labels(&[0.0, 1.07e6], false);
        assert_eq!((large.last().map(String::as_str), exponent), (Some("1.0"), 6));
        assert_eq!(labels(&[498.0, 500.0], false).0.len(), 5);
    }

    #[test]
    fn nothing_and_a_constant_still_make_an_axis() {
        assert_eq!(Axis::new([].into_iter(), false, 0.0).share(0.5), 0.5);
        assert_eq!(Axis::new([0.0].into_iter(), false, 0.0).share(0.0), 0.5);
        let same = Axis::new([500.0, 500.0 + 1e-10].into_iter(), false, 0.0);
        assert!((same.share(500.0) - 0.5).abs() < 1e-9 && same.ticks.len() > 3);
        assert!(Axis::new([0.0, -1.0].into_iter(), true, 0.0).ticks.len() > 1);
    }

    #[test]
    fn a_logarithmic_axis_counts_decades() {
        assert_eq!(labels(&[1.0, 1e9], true).0, ["10⁰", "10²", "10⁴", "10⁶", "10⁸"]);
        assert_eq!(labels(&[1.0, 30.0], true).0, ["1", "2", "5", "10", "20"]);
        let axis = Axis::new([1e-3, 1e3].into_iter(), true, 0.0);
        assert!((axis.share(1.0) - 0.5).abs() < 1e-12 && axis.share(0.0).is_nan());
    }
}
