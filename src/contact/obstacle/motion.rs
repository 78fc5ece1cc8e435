//! How a rigid obstacle moves: a translation, and a rotation about an axis carried along.

use super::error::{ObstacleError, finite, flat, of_length_one, upright};
use crate::time::Motion;
use crate::vector::{cross, dot, minus, plus, times};

fn check_motion(motion: &Motion, what: &'static str) -> Result<(), ObstacleError> {
    let (Motion::Displacement { value, .. } | Motion::Velocity { value, .. }) = motion;
    finite(what, [*value; 3])?;
    match motion {
        Motion::Displacement { time, .. } if time.derivative(0.0).is_none() => {
            Err(ObstacleError::Jumps { what })
        }
        Motion::Displacement { .. } | Motion::Velocity { .. } => Ok(()),
    }
}

/// A translation along a fixed direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// What the motion is multiplied with, of any length.
    pub direction: [f64; 3],
    /// The motion along it.
    pub motion: Motion,
}

/// A rotation about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// Unit vector along the axis; ±z in the plane.
    pub axis: [f64; 3],
    /// A point of the axis where the obstacle has not travelled; it travels with the translation.
    pub center: [f64; 3],
    /// The angle, in radians.
    pub motion: Motion,
}

impl Rotation {
    /// The turn by `angle`.
    pub(super) fn turn(&self, angle: f64) -> Turn {
        let (sine, cosine) = angle.sin_cos();
        Turn { axis: self.axis, sine, cosine }
    }
}

/// A turn about a unit axis through the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    axis: [f64; 3],
    sine: f64,
    cosine: f64,
}

impl Turn {
    /// R w = cos φ w + sin φ a × w + (1 − cos φ)(a·w) a.
    pub(super) fn forth(&self, w: [f64; 3]) -> [f64; 3] {
        let along = times((1.0 - self.cosine) * dot(self.axis, w), self.axis);
        let across = times(self.sine, cross(self.axis, w));
        plus(plus(times(self.cosine, w), across), along)
    }

    /// Rᵀ w.
    pub(super) fn back(&self, w: [f64; 3]) -> [f64; 3] {
        Self { sine: -self.sine, ..*self }.forth(w)
    }
}

/// Where an obstacle is at the start of a step, and how fast.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// How far it has travelled.
    pub travel: [f64; 3],
    /// How far it has turned.
    pub angle: f64,
    /// Velocity of its centre of rotation.
    pub velocity: [f64; 3],
    /// Angular velocity.
    pub spin: f64,
}

impl Pose {
    /// Between here and `end`, at that share of the way; with the velocities of here.
    pub fn between(&self, end: &Pose, share: f64) -> Pose {
        if share == 0.0 {
            return *self;
        }
        let mix = |from: f64, to: f64| from + share * (to - from);
        let travel = [0, 1, 2].map(|i| mix(self.travel[i], end.travel[i]));
        Pose { travel, angle: mix(self.angle, end.angle), ..*self }
    }

    /// Here, with the mean velocities w_θ = θ w₁ + (1−θ) w₀ of the step that ends at `end`.
    pub fn with_mean_velocity(&self, end: &Pose, theta: f64) -> Pose {
        let mean = |w1: f64, w0: f64| theta * w1 + (1.0 - theta) * w0;
        let velocity = [0, 1, 2].map(|i| mean(end.velocity[i], self.velocity[i]));
        Pose { velocity, spin: mean(end.spin, self.spin), ..*self }
    }
}

/// How an obstacle moves; by default not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidMotion {
    /// Its translation.
    pub translation: Option<Translation>,
    /// Its rotation.
    pub rotation: Option<Rotation>,
}

impl RigidMotion {
    /// Pose at t = 0.
    pub fn initial_pose(&self) -> Pose {
        let mut pose = Pose::default();
        if let Some(Translation { direction, motion }) = &self.translation {
            pose.travel = times(motion.start(), *direction);
            pose.velocity = times(motion.velocity(0.0), *direction);
        }
        if let Some(Rotation { motion, .. }) = &self.rotation {
            pose.angle = motion.start();
            pose.spin = motion.velocity(0.0);
        }
        pose
    }

    /// Pose at the end `t1` of a step of size h, with the mean velocity the scheme sees:
    ///
    /// ```text
    ///     travel₁ = travel₀ + h (θ w₁ + (1−θ) w₀)        w₁ by Motion::end_velocity
    /// ```
    ///
    /// and so the angle.
    pub fn end_of_step(&self, start: &Pose, t1: f64, h: f64, theta: f64) -> Pose {
        let mut end = *start;
        if let Some(Translation { direction, motion }) = &self.translation {
            let square = dot(*direction, *direction);
            let part = |w: [f64; 3]| if square > 0.0 { dot(w, *direction) / square } else { 0.0 };
            let (q0, w0) = (part(start.travel), part(start.velocity));
            end.velocity = times(motion.end_velocity(t1, h, theta, q0, w0), *direction);
        }
        if let Some(Rotation { motion, .. }) = &self.rotation {
            end.spin = motion.end_velocity(t1, h, theta, start.angle, start.spin);
        }
        let mean = start.with_mean_velocity(&end, theta);
        end.travel = [0, 1, 2].map(|i| start.travel[i] + h * mean.velocity[i]);
        end.angle = start.angle + h * mean.spin;
        end
    }

    /// Velocity of the obstacle's material at x: w + ω a × (x − center − travel).
    pub fn velocity_at(&self, x: [f64; 3], pose: &Pose) -> [f64; 3] {
        let Some(Rotation { axis, center, .. }) = &self.rotation else {
            return pose.velocity;
        };
        let arm = minus(minus(x, *center), pose.travel);
        plus(pose.velocity, times(pose.spin, cross(*axis, arm)))
    }

    /// Whether it ever turns.
    pub fn turns(&self) -> bool {
        self.rotation.as_ref().is_some_and(|rotation| !rotation.motion.is_still())
    }

    /// That it can be followed.
    pub fn check(&self) -> Result<(), ObstacleError> {
        if let Some(Translation { direction, motion }) = &self.translation {
            finite("the direction of the translation", *direction)?;
            check_motion(motion, "displacement")?;
        }
        if let Some(Rotation { axis, center, motion }) = &self.rotation {
            of_length_one("the axis of the rotation", *axis)?;
            finite("the centre of the rotation", *center)?;
            check_motion(motion, "angle")?;
        }
        Ok(())
    }

    /// That it stays in the plane z = 0.
    pub fn check_plane(&self) -> Result<(), ObstacleError> {
        if let Some(Translation { direction, .. }) = &self.translation {
            flat("the direction of the translation", *direction)?;
        }
        if let Some(Rotation { axis, center, .. }) = &self.rotation {
            upright("the axis of the rotation", *axis)?;
            flat("the centre of the rotation", *center)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::TimeFunction;
    use crate::vector::length;

    fn ramp(value: f64) -> Motion {
        Motion::Displacement { value, time: TimeFunction::Ramp { start: 0.1034, end: 0.5077 } }
    }

    fn wheel(translation: Motion, rotation: Motion) -> RigidMotion {
        let direction = [1.0, -2.0, 0.5];
        let (axis, center) = ([0.6, 0.0, 0.8], [1.0, 2.0, 3.0]);
        RigidMotion {
            translation: Some(Translation { direction, motion: translation }),
            rotation: Some(Rotation { axis, center, motion: rotation }),
        }
    }

    /// Dead-beat: what a kink of the function leaves is gone two steps later, for any θ; what
    /// remains is rounding of the sums.
    #[test]
    fn a_prescribed_displacement_and_angle_are_reached() {
        let motion = wheel(ramp(2.0), ramp(-3.0));
        let h = 1e-2;
        for theta in [0.5, 0.6, 1.0] {
            let mut pose = motion.initial_pose();
            assert_eq!(pose, Pose::default());
            for k in 1..=60 {
                let t = f64::from(k) * h;
                pose = motion.end_of_step(&pose, t, h, theta);
                if (14..50).contains(&k) || k > 53 {
                    let f = TimeFunction::Ramp { start: 0.1034, end: 0.5077 }.value(t);
                    let off = minus(pose.travel, [2.0 * f, -4.0 * f, f]);
                    assert!(length(off) < 1e-13, "theta {theta}, t {t}: {off:?}");
                    assert!((pose.angle + 3.0 * f).abs() < 1e-13, "theta {theta}, t {t}");
                }
            }
            assert!(length(pose.velocity) < 1e-11 && pose.spin.abs() < 1e-11);
        }
    }

    #[test]
    fn a_prescribed_velocity_is_taken_at_once_and_averaged_over_the_step() {
        let step = TimeFunction::Step { start: 0.0 };
        let motion = wheel(
            Motion::Velocity { value: 2.0, time: step.clone() },
            Motion::Velocity { value: 4.0, time: step },
        );
        let start = motion.initial_pose();
        let end = motion.end_of_step(&start, 0.1, 0.1, 0.75);
        assert_eq!((end.velocity, end.spin), ([2.0, -4.0, 1.0], 4.0));
        assert!(length(minus(end.travel, [0.15, -0.3, 0.075])) < 1e-16);
        assert!((end.angle - 0.3).abs() < 1e-16);
    }

    #[test]
    fn a_displacement_that_does_not_begin_at_zero_starts_where_it_begins() {
        let time = TimeFunction::Sine { period: 1.0, phase: 0.5 };
        let motion = Motion::Displacement { value: 2.0, time };
        let pose = wheel(motion.clone(), motion).initial_pose();
        assert!((pose.travel[1] + 4.0 * 0.5f64.sin()).abs() < 1e-15);
        assert!((pose.angle - 2.0 * 0.5f64.sin()).abs() < 1e-15);
        assert!((pose.spin - 2.0 * std::f64::consts::TAU * 0.5f64.cos()).abs() < 1e-14);
    }

    #[test]
    fn a_rotation_without_velocity_does_not_turn() {
        let velocity = |value| Motion::Velocity { value, time: TimeFunction::Constant };
        assert!(wheel(velocity(2.0), velocity(-3.0)).turns());
        assert!(!wheel(velocity(2.0), velocity(0.0)).turns());
        assert!(!RigidMotion::default().turns());
    }

    #[test]
    fn a_displacement_that_jumps_is_refused() {
        let jump = Motion::Displacement { value: 1.0, time: TimeFunction::Square { period: 1.0 } };
        let refused = wheel(ramp(1.0), jump).check();
        assert_eq!(refused, Err(ObstacleError::Jumps { what: "angle" }));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("ramp, sine, table"), "{message}");
    }
}
