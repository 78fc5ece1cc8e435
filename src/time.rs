//! Time functions: what multiplies a load, a driven motion or an obstacle's velocity; and prescribed motions.

/// A dimensionless function of time.
///
/// Functions that jump take the value *before* the jump at the jump itself, and are 0 at t = 0 if
/// they jump there: nothing acts before the first instant. The θ-average of a step that starts at a
/// jump then holds half of either side.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeFunction {
    /// 1.
    Constant,
    /// 0 up to `start`, 1 after it.
    Step {
        /// Time of the jump.
        start: f64,
    },
    /// 0 up to `start`, 1 from `end` on, linear between.
    Ramp {
        /// Where it leaves 0.
        start: f64,
        /// Where it reaches 1.
        end: f64,
    },
    /// sin(2πt/period + phase).
    Sine {
        /// Duration of one oscillation.
        period: f64,
        /// Angle at t = 0, in radians.
        phase: f64,
    },
    /// sgn sin(2πt/period).
    Square {
        /// Duration of one oscillation.
        period: f64,
    },
    /// Linear between the given points, constant outside.
    Table {
        /// Ascending times.
        times: Vec<f64>,
        /// Values at those times.
        values: Vec<f64>,
    },
}

/// Two instants closer than this share of a function's own duration are the same instant:
/// k·h and j·period/2 differ by rounding only.
const SAME_INSTANT: f64 = 1e-9;

impl TimeFunction {
    /// Value at time `t`.
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Step { start } => {
                let margin = SAME_INSTANT * start.abs().max(t.abs());
                f64::from(t > start + margin)
            }
            Self::Ramp { start, end } => ((t - start) / (end - start)).clamp(0.0, 1.0),
            Self::Sine { period, phase } => (std::f64::consts::TAU * t / period + phase).sin(),
            Self::Square { period } => square_wave(2.0 * t / period),
            Self::Table { times, values } => interpolate(times, values, t),
        }
    }

    /// Derivative at time `t`, the mean of both sides at a kink (one side at t = 0), or `None` for
    /// a function that jumps: nothing can be driven through a jump.
    pub fn derivative(&self, t: f64) -> Option<f64> {
        match self {
            Self::Constant => Some(0.0),
            Self::Step { .. } | Self::Square { .. } => None,
            Self::Ramp { start, end } => Some(mean_slope(&[*start, *end], &[0.0, 1.0], t)),
            Self::Sine { period, phase } => {
                let omega = std::f64::consts::TAU / period;
                Some(omega * (omega * t + phase).cos())
            }
            Self::Table { times, values } => Some(mean_slope(times, values, t)),
        }
    }

    /// Whether it never changes.
    pub fn is_constant(&self) -> bool {
        matches!(self, Self::Constant)
    }
}

/// How a driven dof, or an obstacle, moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Its displacement is value · f(t); f must not jump.
    Displacement {
        /// Displacement where f = 1.
        value: f64,
        /// f.
        time: TimeFunction,
    },
    /// Its velocity is value · f(t).
    Velocity {
        /// Velocity where f = 1.
        value: f64,
        /// f.
        time: TimeFunction,
    },
}

impl Motion {
    /// Displacement at t = 0.
    pub fn start(&self) -> f64 {
        match self {
            Self::Displacement { value, time } => value * time.value(0.0),
            Self::Velocity { .. } => 0.0,
        }
    }

    /// Velocity at time `t`.
    pub fn velocity(&self, t: f64) -> f64 {
        match self {
            // The case refuses displacements that jump.
            Self::Displacement { value, time } => value * time.derivative(t).unwrap_or(0.0),
            Self::Velocity { value, time } => value * time.value(t),
        }
    }

    /// Velocity at the end `t1` of a step of size h that starts at displacement q₀ with velocity v₀:
    /// the given one, or for a given displacement d
    ///
    /// ```text
    ///     v₁ = (d(t₁) − q₀)/h + (1−θ)(ḋ(t₁) − v₀)                                             (1)
    /// ```
    ///
    /// which is ḋ(t₁) to the order of the scheme. Whatever a kink of d leaves of d − q and ḋ − v is
    /// gone after two more steps: with q₁ = q₀ + h(θv₁ + (1−θ)v₀), (1) makes both eigenvalues of
    /// their recurrence zero, for any θ.
    pub fn end_velocity(&self, t1: f64, h: f64, theta: f64, q0: f64, v0: f64) -> f64 {
        match self {
            Self::Displacement { value, time } => {
                let target = value * time.value(t1);
                (target - q0) / h + (1.0 - theta) * (self.velocity(t1) - v0)
            }
            Self::Velocity { .. } => self.velocity(t1),
        }
    }

    /// Whether it never moves.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Displacement { value, time } => *value == 0.0 || time.is_constant(),
            Self::Velocity { value, .. } => *value == 0.0,
        }
    }
}

/// sgn sin(πx), left-continuous, 0 up to x = 0.
fn square_wave(x: f64) -> f64 {
    if x <= SAME_INSTANT {
        return 0.0;
    }
    let before = (x - SAME_INSTANT).floor();
    if before.rem_euclid(2.0) < 0.5 { 1.0 } else { -1.0 }
}

fn interpolate(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|&s| s <= t);
    if after == 0 {
        return values[0];
    }
    if after == times.len() {
        return values[after - 1];
    }
    let (t0, t1) = (times[after - 1], times[after]);
    let s = (t - t0) / (t1 - t0);
    (1.0 - s) * values[after - 1] + s * values[after]
}

/// Mean of the slopes just before and just after `t`; after it alone at t = 0.
fn mean_slope(times: &[f64], values: &[f64], t: f64) -> f64 {
    let span = times[times.len() - 1] - times[0];
    let margin = SAME_INSTANT * span.max(t.abs());
    let after = slope(times, values, t + margin);
    if t <= margin { after } else { 0.5 * (slope(times, values, t - margin) + after) }
}

fn slope(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|&s| s <= t);
    if after == 0 || after == times.len() {
        return 0.0;
    }
    (values[after] - values[after - 1]) / (times[after] - times[after - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference: the sliding block's traction sgn sin 4πt, sampled at k·1e-4.
    #[test]
    fn square_wave_takes_the_value_before_each_switch_and_zero_at_the_start() {
        let wave = TimeFunction::Square { period: 0.5 };
        let at = |k: u32| wave.value(f64::from(k) * 1e-4);
        assert_eq!(at(0), 0.0);
        assert_eq!((at(1), at(2500), at(2501)), (1.0, 1.0, -1.0));
        assert_eq!((at(5000), at(5001), at(7500), at(7501)), (-1.0, 1.0, 1.0, -1.0));
    }

    #[test]
    fn step_is_zero_at_its_jump_and_one_after() {
        let step = TimeFunction::Step { start: 0.3 };
        assert_eq!((step.value(0.1 + 0.2), step.value(0.3001)), (0.0, 1.0));
    }

    #[test]
    fn table_is_linear_between_its_points_and_constant_outside() {
        let table = TimeFunction::Table { times: vec![1.0, 2.0, 4.0], values: vec![0.0, 3.0, 1.0] };
        let seen: Vec<f64> = [0.0, 1.5, 2.0, 3.0, 9.0].iter().map(|&t| table.value(t)).collect();
        assert_eq!(seen, vec![0.0, 1.5, 3.0, 2.0, 1.0]);
    }

    /// The displacement is reached exactly three steps after a kink, wherever the kink lies in its
    /// step, and followed to second order (θ = ½) or exactly (θ = 1) where it is smooth.
    #[test]
    fn a_prescribed_displacement_is_reached_for_any_theta_and_off_the_grid() {
        let h = 1e-2;
        for theta in [0.5, 0.6, 1.0] {
            let ramp = TimeFunction::Ramp { start: 0.1034, end: 0.5077 };
            let sine = TimeFunction::Sine { period: 1.0, phase: 0.0 };
            for (time, tolerance) in [(ramp, 1e-14), (sine, 4.0 * h * h)] {
                let motion = Motion::Displacement { value: 2.0, time: time.clone() };
                let (mut q, mut v) = (2.0 * time.value(0.0), motion.velocity(0.0));
                for k in 1..=60 {
                    let t = f64::from(k) * h;
                    let end = motion.end_velocity(t, h, theta, q, v);
                    q += h * (theta * end + (1.0 - theta) * v);
                    v = end;
                    let settled = (14..50).contains(&k) || k > 53;
                    let off = (q - 2.0 * time.value(t)).abs();
                    assert!(!settled || off < tolerance, "theta {theta}, {time:?}, {t}: {off:e}");
                }
            }
        }
    }
}
