//! The θ-scheme without contact: its order of convergence, the discrete frequency and damping of a
//! mode of vibration, and its energy.

#![allow(clippy::print_stdout)]

use delassus::energy::Term;
use delassus::linalg::dot;
use delassus::step::State;

use crate::support::vibration::{block, lowest_mode, order_in_time, run, struck};

/// The reference is θ = ½ with steps 16 times smaller than the smallest: its own error is 1/256 of
/// the smallest one measured at θ = ½, or 0.002 in the slope. The rest of the margins is for the
/// mesh's fastest waves, which turn by ω h = 0.1 in the largest step: at θ = 1 they are damped
/// before they show their order.
#[test]
fn order_in_time_is_two_at_one_half_and_one_at_one() {
    for (theta, order, margin) in [(0.5, 2.0, 0.05), (1.0, 1.0, 0.1)] {
        let (slope, errors) = order_in_time(theta);
        println!("θ = {theta}: order {slope:.4}; errors {errors:?}");
        assert!((slope - order).abs() <= margin, "θ = {theta}: order {slope} from {errors:?}");
    }
}

/// On one mode, z = ω q + i v is multiplied at each step by
///
/// ```text
///     (1 − i(1−θ)ωh)/(1 + iθωh),     at θ = ½ of modulus 1 and phase −2 atan(ωh/2)
/// ```
///
/// Rounding of 1e-16 per step, amplified by the other modes it wakes: below 1e-12 in 200 steps.
#[test]
fn a_single_mode_turns_by_the_discrete_frequency_and_decays_by_theta() {
    for theta in [0.5, 0.75, 1.0] {
        let h = 0.25;
        let (mesh, problem) = block(theta, h);
        let (mode, omega) = lowest_mode(&mesh, &problem);
        let n = mode.len();
        let mut state =
            State::new(&problem.operator, mode.clone(), vec![0.0; n], &problem.contacts);
        let turn = ((1.0 - theta) * omega * h).atan() + (theta * omega * h).atan();
        let shrink = ((1.0 - theta) * omega * h).hypot(1.0) / (theta * omega * h).hypot(1.0);
        if theta == 0.5 {
            assert!((turn - 2.0 * (omega * h / 2.0).atan()).abs() < 1e-15);
        }
        let mut worst: f64 = 0.0;
        run(&problem, &mut state, 200, |state, _| {
            let (sin, cos) = (turn * state.step as f64).sin_cos();
            let size = shrink.powi(state.step as i32);
            for (dof, mode) in mode.iter().enumerate() {
                worst = worst.max((state.q[dof] - mode * size * cos).abs());
                worst = worst.max((state.v[dof] / omega + mode * size * sin).abs());
            }
        });
        println!("θ = {theta}: ω = {omega:.6}, mode off by {worst:.1e} at most");
        assert!(worst < 1e-12, "θ = {theta}, ω = {omega}: the mode is off by {worst:e}");
    }
}

/// θ = ½, C = 0, no load: (65) has no right side. Rounding of 1e-16 per step, 1000 steps.
#[test]
fn energy_is_constant_at_one_half() {
    let (mesh, problem) = block(0.5, 0.05);
    let mut state = struck(&mesh, &problem);
    let start = 0.5 * dot(&state.v, &state.mv);
    let (mut worst, mut strained): (f64, f64) = (0.0, 0.0);
    run(&problem, &mut state, 1000, |_, terms| {
        assert_eq!(terms[Term::Numerical], 0.0);
        worst = worst.max((terms.total() / start - 1.0).abs());
        strained = strained.max(terms[Term::Strain] / start);
    });
    println!("energy drifts by {worst:.1e} at most; up to {strained:.2} of it is strain");
    assert!(worst < 1e-12, "energy drifts by {worst:e}");
    assert!(strained > 0.5, "energy is exchanged: strain takes {strained} of it at most");
}

/// θ > ½: each step loses exactly its numerical dissipation, and never gains. Rounding of the
/// energies, 1e-16 times a few.
#[test]
fn energy_falls_by_the_numerical_dissipation_above_one_half() {
    for theta in [0.6, 1.0] {
        let (mesh, problem) = block(theta, 0.05);
        let mut state = struck(&mesh, &problem);
        let start = 0.5 * dot(&state.v, &state.mv);
        let (mut before, mut worst): (f64, f64) = (start, 0.0);
        run(&problem, &mut state, 1000, |_, terms| {
            let lost = terms[Term::Numerical];
            assert!(lost < 0.0, "θ = {theta}: a step dissipates, not {lost:e}");
            worst = worst.max((terms.total() - before - lost).abs() / start);
            before = terms.total();
        });
        let left = before / start;
        println!("θ = {theta}: {left:.3e} of the energy left, balance off by {worst:.1e} at most");
        assert!(worst < 1e-14, "θ = {theta}: a step's balance is off by {worst:e}");
        assert!(left < 0.9, "θ = {theta}: {left} of the energy is left");
    }
}
