//! Impacting and bouncing bars against their exact solutions (Doyen, Ern, Piperno 2011) and the
//! closed form of the first impact.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use crate::support::bars::{
    Bounces, Exact, Flight, LENGTH, SPEED, bounces_of_the_strip, chain,
    energy_of_the_bouncing_chain, energy_of_the_chain, exact_contact, march, strip,
};
use crate::support::fitted_slope;

/// First impact of a P1 bar at velocity v₀ (derived in closed form from the Schur complement of M̂
/// on the end of a long bar): impulse (1+e)v₀ρS√(s + θ²h²c²), s = Δx²/12 for the consistent and
/// Δx²/4 for the lumped mass; at θ = ½ the energy drops by ½(1−e²)v₀² times the same root. The bar is
/// long enough: what its far end feels is below 1e-16.
fn assert_first_impact(what: &str, met: &Flight, root: f64, theta: f64, e: f64) {
    let v0 = 10.0;
    let (_, impulse) = met.impulses[0];
    let exact = (1.0 + e) * v0 * root;
    println!("{what}: first impulse {impulse:.12}, closed form {exact:.12}");
    assert!((impulse / exact - 1.0).abs() < 1e-10, "{what}: {impulse} for {exact}");
    if theta == 0.5 {
        let lost = met.energy[0] - met.energy[met.energy.len() - 1];
        let exact = 0.5 * (1.0 - e * e) * v0 * v0 * root;
        assert!((lost - exact).abs() < 1e-10 * 500.0, "{what}: lost {lost} for {exact}");
    }
}

const THETA_AND_E: [(f64, f64); 5] = [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.75, 0.2), (1.0, 0.0)];

#[test]
fn first_impact_of_the_strip_equals_the_closed_form_of_the_lumped_bar() {
    for (theta, e) in THETA_AND_E {
        let overrides =
            [&*format!("scheme.theta={theta}"), &*format!("contact.floor.restitution={e}")];
        let (problem, state) = strip("impacting_bar", 200, &overrides);
        let met = march(&problem, state, 301);
        let root = (0.05f64.powi(2) / 4.0 + (theta * problem.h * SPEED).powi(2)).sqrt();
        assert_first_impact(&format!("strip, theta {theta}, e {e}"), &met, root, theta, e);
    }
}

#[test]
fn first_impact_of_the_chain_equals_the_closed_form_of_the_consistent_bar() {
    for (theta, e) in THETA_AND_E {
        for cells in [100, 200] {
            let dx = LENGTH / cells as f64;
            let h = dx / SPEED;
            let (problem, state) = chain(cells, theta, e, h, 0.0);
            let met = march(&problem, state, cells * 3 / 2 + 1);
            let root = (dx * dx / 12.0 + (theta * h * SPEED).powi(2)).sqrt();
            let what = format!("chain of {cells}, theta {theta}, e {e}");
            assert_first_impact(&what, &met, root, theta, e);
        }
    }
}

/// Reference values: an independent implementation, Courant number 1, consistent mass, e = 0.
#[test]
fn final_energies_of_the_chain_are_the_reference_ones() {
    for (cells, reference) in [(100, 497.113249), (200, 498.556624), (400, 499.278312)] {
        let energy = energy_of_the_chain(cells);
        println!("{cells} elements: {energy:.9}");
        assert!((energy - reference).abs() < 1e-6, "{cells}: {energy}");
    }
    for (theta, e, reference, digits) in
        [(0.5, 0.0, 497.700692, 1e-6), (0.5, 1.0, 500.0, 5e-8), (1.0, 0.0, 370.746, 1e-3)]
    {
        let energy = energy_of_the_bouncing_chain(theta, e);
        println!("bouncing, theta {theta}, e {e}: {energy:.9}");
        assert!((energy - reference).abs() < digits, "theta {theta}, e {e}: {energy}");
    }
}

/// Exact: contact on [0.5, 7/6], pressure 300, rebound with +10.
#[test]
fn contact_time_pressure_and_rebound_of_the_strip_converge_to_the_exact_solution() {
    let cells = [50usize, 100, 200, 400];
    let mut errors = [const { Vec::new() }; 4];
    for n in cells {
        let Exact { begin, contact, pressure, impulse, rebound } = exact_contact(n);
        println!(
            "{n} cells: contact from {begin:.5} for {contact:.5}, pressure {pressure:.4}, impulse {impulse:.4}, rebound {rebound:.5}"
        );
        errors[0].push((contact - 2.0 / 3.0).abs());
        errors[1].push((pressure - 300.0).abs());
        errors[2].push((rebound - 10.0).abs());
        errors[3].push((impulse - 200.0).abs());
    }
    let sizes: Vec<f64> = cells.iter().map(|&n| LENGTH / n as f64).collect();
    for (what, error) in ["contact time", "pressure", "rebound", "impulse"].iter().zip(&errors) {
        let slope = fitted_slope(&sizes, error);
        println!("{what}: errors {error:.5?}, slope {slope:.2}");
        assert!(error[3] < error[0], "{what} does not converge: {error:?}");
        assert!(slope > 0.4, "{what}: slope {slope}");
    }
}

/// Exact: contact on [1, 5/3] and [11/3, 13/3], impulse of the first 266.667, foot at 3.8889 when
/// t = 8/3.
#[test]
fn bouncing_strip_touches_twice_and_is_where_it_should_be_between() {
    let Bounces { step, begin, second, first_impulse, foot } = bounces_of_the_strip();
    println!(
        "contacts begin at {begin:.4}, {second:.4}; impulse {first_impulse:.3}; foot at {foot:.4}"
    );
    // The mesh and the loss at impact move these by O(Δx): 1 % at 200 cells.
    assert!((begin - 1.0).abs() < 2.0 * step);
    assert!((second - 11.0 / 3.0).abs() < 0.01 * 11.0 / 3.0);
    assert!((first_impulse / 266.667 - 1.0).abs() < 0.01);
    assert!((foot / 3.8889 - 1.0).abs() < 0.01);
}
