//! Boxes on each other.

use super::{FLOOR, G, fastest, joints, march, scheme, step, weight};

/// Seven boxes of different widths, heights and masses: every interface carries the weight above it, and nothing moves.
#[test]
fn interfaces_of_a_stack_carry_what_is_above() {
    let h = 1e-3;
    let (mut text, mut height, mut masses) = (FLOOR.to_string(), 0.0, Vec::new());
    for k in 0..7 {
        let (width, tall) = (1.0 + 0.3 * f64::from(k % 3), 0.4 + 0.1 * f64::from(k));
        let mass = 1.0 + f64::from(k * k);
        text += &format!(
            "[body.box{k}]\nshape = 'box'\nsize = [{width:?}, {tall:?}]\nmass = {mass:?}\nposition = [0.0, {:?}]\n",
            height + 0.5 * tall
        );
        height += tall;
        masses.push(mass);
    }
    text += &[weight(0.0), joints(0.5, 0.3), scheme(h)].concat();
    let mut march = march(&text);
    for _ in 0..50 {
        step(&mut march);
        let contacts = march.contacts();
        assert_eq!(contacts.active.len(), 14, "two points each, and none is lost");
        for lower in 0..7_usize {
            // Boxes come in the order of their names, and the floor last, which the first of them stands on.
            let pair = if lower == 0 { [0, 7] } else { [lower as u32 - 1, lower as u32] };
            let own = contacts
                .pairs
                .iter()
                .zip(&contacts.impulse)
                .filter(|((key, _), _)| key.bodies == pair);
            let (mut normal, mut tangential) = (0.0, 0.0_f64);
            own.for_each(|(_, p)| (normal, tangential) = (normal + p[0], tangential + p[1]));
            let above: f64 = masses[lower..].iter().sum::<f64>() * G * h;
            // The solver's tolerance, 1e-10, of the largest impulse, that of the floor.
            let limit = 1e-10 * masses.iter().sum::<f64>() * G * h;
            assert!((normal - above).abs() < limit, "{lower}: {normal} of {above}");
            assert!(tangential.abs() < limit, "{lower}: {tangential}");
        }
        // 2e-13 of g h is what the solver's wish leaves.
        assert!(fastest(&march) < 1e-12, "{:e}", fastest(&march));
    }
}
