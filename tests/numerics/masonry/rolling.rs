//! A disk on a floor: sliding until it rolls, and on an incline.

use super::{FLOOR, G, joints, march, scheme, step, weight};

const DISK: &str = "[body.disk]\nshape = 'disk'\nradius = 0.5\nmass = 3.0\nposition = [0.0, 0.5]\n";

/// Place, velocity and spin of the disk; the floor is the second body.
fn motion(march: &delassus::step::March) -> (f64, f64, f64) {
    let state = march.state();
    (state.q[0], state.v[0], state.v[4])
}

/// BODIES: v_f = ⅔ v₀ from t = v₀/(3μg) = 0.339789331 on, at x = 0.566315551; a third of the energy is lost.
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
        for k in 0..steps {
            step(&mut march);
            let (_, v, spin) = motion(&march);
            if rolls.is_none() && (v + 0.5 * spin).abs() < 1e-12 {
                rolls = Some((k + 1) as f64 * h);
            }
        }
        let (x, v, spin) = motion(&march);
        println!("h {h}: rolls at {rolls:?}, x {x}, v {v}, spin {spin}");
        // What the ground's impulses do to v and to ω is one impulse: the speed is exact for every step.
        assert!((v - 2.0 / 3.0 * v0).abs() < 1e-13 && (spin + v / 0.5).abs() < 1e-12, "{v} {spin}");
        // The step in which it begins to roll is found to its length.
        let begins = 0.339_789_331;
        assert!(rolls.is_some_and(|t| t >= begins && t < begins + h), "{rolls:?}");
        // That step's friction is less, at once and not where it begins: off by ⅛ μ g h² at most.
        let exact = 0.566_315_551 + 2.0 / 3.0 * v0 * (0.5 - begins);
        assert!((x - exact).abs() < 0.125 * mu * G * h * h + 1e-8, "{x} not {exact}");
        let kinetic = march.ledger().totals().total();
        let start = 0.5 * 3.0 * v0 * v0;
        assert!((kinetic / start - 2.0 / 3.0).abs() < 1e-12, "{kinetic} of {start}");
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
