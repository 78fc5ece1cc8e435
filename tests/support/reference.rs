//! Series of other programs, held beside our own.

use super::{Table, repository, run};

/// How far each column of the sliding block's history is from the reference series with that law, at every
/// tenth of 10,000 steps, as a share of the column's largest value. `max_tangential_work` is rounding with
/// the Frémond law; it is held to the scale of the works, that of `min_tangential_work`.
///
/// The solver's tolerance is 1e-13: with g ≤ 1e-12 mm as the only test, the gaps that an error of
/// 1e-10 leaves after thousands of steps decide which contacts are active.
pub fn sliding_block_off(law: &str) -> Vec<(String, f64)> {
    let overrides = [
        &format!("scheme.law={law}"),
        "scheme.activation=gap",
        "scheme.gap_tolerance=1e-12",
        "solver.tolerance=1e-13",
        "output.fields_every=0",
    ];
    let (_, history) = run("sliding_block", &overrides);
    let path = repository(&format!("tests/reference/sliding_block/{law}_series.csv"));
    let reference = Table::read(&path);
    assert_eq!(reference.rows.len(), 1001);
    let scale = |name: &str| match name {
        "max_tangential_work" => "min_tangential_work".to_string(),
        _ => name.to_string(),
    };
    let off = |name: &String| {
        (name.clone(), column_off(&reference, (name, &scale(name)), &history, name))
    };
    reference.columns.iter().map(off).collect()
}

/// Column `theirs` of a reference against column `ours` of a history, step by step (the first
/// column of both): the largest difference, as a share of the largest value of the column `scale`.
pub fn column_off(
    reference: &Table,
    (theirs, scale): (&str, &str),
    history: &Table,
    ours: &str,
) -> f64 {
    let scale = reference.column(scale).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let (steps, found) = (reference.column(&reference.columns[0]), history.column(ours));
    let gap = |(step, expected): (&f64, &f64)| (found[*step as usize] - expected).abs() / scale;
    steps.iter().zip(&reference.column(theirs)).map(gap).fold(0.0, f64::max)
}
