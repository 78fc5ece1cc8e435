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
    /// Ends, in the unit of the axis; as logarithms of the values themselves on a logarithmic axis.
    low: f64,
    high: f64,
    log: bool,
    unit: Unit,
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
/// Values beyond these are counted in another unit.
const SMALL: f64 = 1e-250;
const LARGE: f64 = 1e250;

/// What values are counted in, so that no span, step or share of them runs out of the range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    One,
    /// 10⁻³⁰⁰, for values down to the smallest there is.
    Tiny,
    /// 10³⁰⁰, for values up to the largest there is.
    Huge,
}

impl Unit {
    /// For values of which the largest has a size; infinite where there are none.
    fn of_size(size: f64) -> Self {
        match size {
            _ if size == 0.0 || size.is_infinite() => Self::One,
            _ if size < SMALL => Self::Tiny,
            _ if size > LARGE => Self::Huge,
            _ => Self::One,
        }
    }

    /// It is ten to this power.
    fn exponent(self) -> i32 {
        match self {
            Self::One => 0,
            Self::Tiny => -300,
            Self::Huge => 300,
        }
    }

    /// How many of it a value is.
    fn count(self, value: f64) -> f64 {
        match self {
            Self::One => value,
            Self::Tiny => value * 1e300,
            Self::Huge => value * 1e-300,
        }
    }
}

impl Axis {
    /// Holds all finite `values`, with a margin on both sides as a share of their range.
    pub fn new(values: impl Iterator<Item = f64>, log: bool, margin: f64) -> Self {
        let seen = values.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let (low, high) = seen
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let unit = Unit::of_size(low.abs().max(high.abs()));
        let mut axis = Self { low, high, log, unit, ticks: Vec::new(), exponent: 0 };
        let is_empty = low > high;
        let (low, high) =
            if is_empty { (0.0, 1.0) } else { widened(axis.place(low), axis.place(high), log) };
        let room = margin * (high - low);
        (axis.low, axis.high) = (low - room, high + room);
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
        self.share_of(self.place(value))
    }

    fn share_of(&self, place: f64) -> f64 {
        (place - self.low) / (self.high - self.low)
    }

    /// A value as the ends are given.
    fn place(&self, value: f64) -> f64 {
        match self.log {
            true if value > 0.0 => value.log10(),
            true => f64::NAN,
            false => self.unit.count(value),
        }
    }

    /// Multiples of a step of 1, 2 or 5 times a power of ten. All in the unit of the axis.
    fn place_linear_ticks(&mut self) {
        let shift = self.unit.exponent();
        let [low, high] = [self.low, self.high]
            .map(|end| if self.log { 10f64.powf(end - f64::from(shift)) } else { end });
        let step = nice((high - low) / MOST_TICKS);
        let (first, last) =
            ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let values: Vec<f64> = (first..=last).map(|k| k as f64 * step).collect();
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let is_plain = shift == 0 && (0.01..1e4).contains(&largest);
        let own =
            if largest > 0.0 && !is_plain { (largest.log10() + 1e-9).floor() as i32 } else { 0 };
        let power = 10f64.powi(own);
        let digits = (-(step / power).log10() - 1e-9).ceil().max(0.0) as usize;
        let place = |v: f64| if self.log { v.log10() + f64::from(shift) } else { v };
        let tick = |&value: &f64| Tick {
            share: self.share_of(place(value)),
            label: proper(&format!("{:.digits$}", value / power)),
        };
        self.ticks = values.iter().map(tick).collect();
        self.exponent = own + shift;
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

/// A range that is one: what is constant gets room.
fn widened(low: f64, high: f64, log: bool) -> (f64, f64) {
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
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};

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

    /// Few ticks within the axis, at different places, with short numbers; every value at a place of it.
    fn assert_sound(values: &[f64], log: bool, margin: f64) {
        let axis = Axis::new(values.iter().copied(), log, margin);
        let what = format!("{values:?} log {log} margin {margin}: {axis:?}");
        assert!((2..=12).contains(&axis.ticks.len()), "{what}");
        assert!(axis.ticks.windows(2).all(|pair| pair[0].share < pair[1].share), "{what}");
        assert!(axis.ticks.windows(2).all(|pair| pair[0].label != pair[1].label), "{what}");
        for tick in &axis.ticks {
            assert!((-1e-6..=1.0 + 1e-6).contains(&tick.share), "{what}");
            assert!(tick.label.chars().count() <= 12, "{what}");
        }
        for &value in values.iter().filter(|value| !log || **value > 0.0) {
            assert!((-1e-9..=1.0 + 1e-9).contains(&axis.share(value)), "{value:e}: {what}");
        }
    }

    /// The numbers at which ranges end: those where a span, a step or a power of ten runs out of numbers.
    const EXTREMES: [f64; 20] = [
        0.0,
        5e-324,
        1e-323,
        1e-318,
        2.2250738585072014e-308,
        1e-300,
        1e-251,
        1e-249,
        1e-160,
        1e-16,
        0.1,
        1.0,
        1.0 + f64::EPSILON,
        9999.9,
        1e16,
        1e249,
        1e251,
        1e300,
        1.7976931348623155e308,
        f64::MAX,
    ];

    #[test]
    fn every_pair_of_extreme_values_makes_an_axis() {
        let signed = || EXTREMES.into_iter().flat_map(|x| [-x, x]);
        for (low, high) in signed().flat_map(|low| signed().map(move |high| (low, high))) {
            for margin in [0.0, 0.04] {
                assert_sound(&[low, high], false, margin);
                assert_sound(&[low, high], true, margin);
            }
        }
        let column = [0.0, 0.0, 5e-324, 0.0];
        assert_sound(&column, false, 0.04);
        assert_eq!(
            labels(&column, false),
            (["0", "1", "2", "3", "4"].map(String::from).into(), -324)
        );
        let (huge, exponent) = labels(&[-f64::MAX, f64::MAX], false);
        assert_eq!((huge, exponent), (["−1", "0", "1"].map(String::from).into(), 308));
    }

    proptest::proptest! {
        /// Any bits that are numbers, and numbers that are close to each other.
        #[test]
        fn any_finite_values_make_an_axis(
            low in POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
            high in POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
            apart in 0u64..1 << 60,
            log: bool,
            margin in 0.0..0.1,
        ) {
            assert_sound(&[low, high], log, margin);
            let near = f64::from_bits(low.to_bits() ^ (apart >> (apart % 60)));
            if near.is_finite() {
                assert_sound(&[low, near], log, margin);
            }
        }
    }
}
