//! Orders of convergence in space, of statics and of a frequency.

use delassus::assembly::MassKind;

use super::bodies::*;
use super::orders::{frequency_order, static_orders};

/// Order p + 1 in L2 and p in energy (Céa, Aubin–Nitsche), p = 1 or 2. The margins are those of a fit
/// over irregular cells, in space not yet fine.
#[test]
fn static_elasticity_converges_with_the_order_of_the_elements() {
    for (kind, section) in ALL {
        let ([l2, energy], errors) = static_orders(kind, section);
        let p = kind.order() as f64;
        println!("{kind:?} {section:?}: order {l2:.2} in L2, {energy:.2} in energy");
        assert!((l2 - p - 1.0).abs() < 0.15, "{kind:?}: order {l2} in L2 from {errors:?}");
        assert!((energy - p).abs() < 0.15, "{kind:?}: order {energy} in energy from {errors:?}");
    }
}

/// A consistent mass keeps the order 2p of the frequency, from above; lumping has order 2 for every
/// element: the row sums of linear ones, and the scaled diagonal of quadratic ones, integrate only
/// linear functions exactly. A tenth of the order is left to irregular cells, in space not yet fine.
#[test]
fn a_frequency_converges_with_twice_the_order_or_with_two_if_the_mass_is_lumped() {
    for (kind, section) in each_kind() {
        for mass in [MassKind::Consistent, MassKind::Lumped] {
            let (slope, errors) = frequency_order(kind, section, mass);
            let above = errors.iter().all(|&e| e > 0.0);
            println!("{kind:?} {mass:?}: order {slope:.2}, errors {errors:?}");
            let expected = match mass {
                MassKind::Consistent => 2.0 * kind.order() as f64,
                MassKind::Lumped => 2.0,
            };
            assert!(
                (slope / expected - 1.0).abs() < 0.1,
                "{kind:?} {mass:?}: {slope} from {errors:?}"
            );
            assert!(above || mass == MassKind::Lumped, "{kind:?}: from below: {errors:?}");
        }
    }
}
