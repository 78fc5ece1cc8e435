//! Numbers that are none, among many.

use crate::energy::{Ledger, StepTerms, Term, Totals};

/// Whether no number is NaN or infinite: 0·x is 0 then, and only then.
pub(super) fn all_finite(numbers: &[f64]) -> bool {
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += 0.0 * x);
    }
    sums.iter().chain(rest).map(|x| 0.0 * x).sum::<f64>() == 0.0
}

/// The first energy of a step that is none.
pub(super) fn in_terms(terms: &StepTerms) -> Option<(String, f64)> {
    let numbers = Term::ALL.map(|term| (term.line().name, terms[term]));
    let mut numbers = numbers.into_iter().chain([("total energy", terms.total())]);
    let (name, value) = numbers.find(|(_, value)| !value.is_finite())?;
    Some((name.into(), value))
}

/// The first sum since the start that is none.
pub(super) fn in_totals(totals: &Totals) -> Option<(String, f64)> {
    let term = Term::works().find(|term| !totals[*term].is_finite())?;
    Some((format!("{} since the start", term.line().name), totals[term]))
}

/// The first of what a run is judged by that is none.
pub(super) fn in_limits(ledger: &Ledger) -> Option<(String, f64)> {
    let numbers = [
        ("rounding of the energy balance", ledger.worst().rounding),
        ("sum of what passed through the contacts", ledger.totals().work_passed),
        ("scale of all energies", ledger.energy_scale()),
    ];
    let (name, value) = numbers.into_iter().find(|(_, value)| !value.is_finite())?;
    Some((name.into(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_none_is_found_wherever_it_stands() {
        for length in [0, 1, 7, 8, 9, 40] {
            let numbers = vec![-1e308; length];
            assert!(all_finite(&numbers), "{length}");
            for at in 0..length {
                for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let mut numbers = numbers.clone();
                    numbers[at] = value;
                    assert!(!all_finite(&numbers), "{value} at {at} of {length}");
                }
            }
        }
    }
}
