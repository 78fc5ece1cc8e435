//! A disk on a floor: sliding until it rolls, and on an incline.

use super::{FLOOR, G, joints, march, scheme, step, weight};

const DISK: &str = "[body.disk]\nshape = 'disk'\nradius = 0.5\nmass = 3.0\nposition = [0.0, 0.5]\n";

/// Place, velocity and spin of the disk; the floor is the second body.
fn motion(march: &delassus::step::March) -> (f64, f64, f64) {
    let state = march.state();
    (state.q[0], state.v[0], state.v[4])
}

/// BODIES: v_f = ⅔ v₀ from t = v₀/(3μg) = 0.339789331 on, at x = 0.566315551; a third of the energy is lost. Frémond's
/// law holds mean velocities where a contact sticks: the rim goes on to slip to and fro by what was left of its slip.
#[test]
fn a_sliding_disk_rolls_with_two_thirds_of_its_speed() {
    let (v0, mu) = (2.0, 0.2);
    for h in [1e-2, 1e-3] {
        let tables = format!(
            "{DISK}velocity = [{v0:?}, 0.0]\n{FLOOR}{}{}{}",
            weight(0.0),
            joints(mu, 0.0),
            scheme(h)
        );
        let mut march = march(&tables);
        let (mut rolls, steps) = (None, (0.5 / h).round() as usize);
        let (mut v_mean, mut spin_mean) = (0.0, 0.0);
        for k in 0..steps {
            let (_, v_start, spin_start) = motion(&march);
            step(&mut march);
            let (_, v, spin) = motion(&march);
            (v_mean, spin_mean) = (0.5 * (v_start + v), 0.5 * (spin_start + spin));
            if rolls.is_none() && (v_mean + 0.5 * spin_mean).abs() < 1e-12 {
                rolls = Some(k as f64 * h);
            }
        }
        let (x, v, spin) = motion(&march);
        let slip = v + 0.5 * spin;
        println!("h {h}: rolls from {rolls:?}, x {x}, mean v {v_mean}, slip {slip}");
        // What the ground does to v and to ω is one impulse: the mean speed is exact for every step.
        // 2e-14 is what the solver leaves of a step's velocities.
        assert!((v_mean - 2.0 / 3.0 * v0).abs() < 2e-14 * steps as f64 * v0, "{v_mean}");
        assert!((v_mean + 0.5 * spin_mean).abs() < 1e-13, "{spin_mean}");
        // It sticks in the first step whose friction can turn its slip around: ½ h before or after.
        let begins = 0.339_789_331;
        assert!(rolls.is_some_and(|t| (t - begins).abs() <= 0.5 * h + 1e-9), "{rolls:?}");
        // A parabola instead of its tangent for as long.
        let exact = 0.566_315_551 + 2.0 / 3.0 * v0 * (0.5 - begins);
        assert!((x - exact).abs() < 0.125 * mu * G * h * h + 1e-8, "{x} not {exact}");
        let (kinetic, start) = (march.ledger().totals().total(), 0.5 * 3.0 * v0 * v0);
        // The slip has the energy ½ (m/3) u².
        let exact = 2.0 / 3.0 * start + 0.5 * slip * slip;
        assert!((kinetic - exact).abs() < 1e-12 * start, "{kinetic} not {exact}");
    }
}

/// It rolls iff tan θ ≤ 3 μ, with ⅔ g sin θ; beyond it slides with g (sin θ − μ cos θ), from both sides of the limit.
#[test]
fn a_disk_on_an_incline_rolls_up_to_three_times_the_friction() {
    let (mu, h, steps) = (0.2_f64, 1e-3, 50);
    for off in [-1e-1, -1e-6, 1e-6, 1e-1] {
        let angle = (3.0 * mu * (1.0 + off)).atan();
        let tables = format!("{DISK}{FLOOR}{}{}{}", weight(angle), joints(mu, 0.0), scheme(h));
        let mut march = march(&tables);
        (0..steps).for_each(|_| step(&mut march));
        let (_, v, spin) = motion(&march);
        let (t, (sine, cosine)) = (h * f64::from(steps), angle.sin_cos());
        let slides = if off > 0.0 { G * (sine - 3.0 * mu * cosine) * t } else { 0.0 };
        let speed = if off > 0.0 { G * (sine - mu * cosine) * t } else { 2.0 / 3.0 * G * sine * t };
        println!("tan/3μ − 1 = {off}: v {v} of {speed}, slides {} of {slides}", v + 0.5 * spin);
        // Constant forces: exact but for rounding of fifty steps.
        assert!((v - speed).abs() < 1e-13, "{v} {speed}");
        assert!((v + 0.5 * spin - slides).abs() < 1e-13, "{} {slides}", v + 0.5 * spin);
    }
}
