//! Several runs in one figure per quantity.

use super::overlay::{Runs, capitalised};
use super::{Drawing, quantities};
use crate::results::{Results, Series};

/// What each run is called: the name of its case, or of its folder where two cases have one name.
pub fn labels(runs: &[Results]) -> Vec<String> {
    let case = |run: &Results| run.summary.case.name.clone();
    let folder = |run: &Results| {
        let name = run.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| run.folder.display().to_string())
    };
    let path = |run: &Results| run.folder.display().to_string();
    let candidates: [&dyn Fn(&Results) -> String; 3] = [&case, &folder, &path];
    let lists = candidates.map(|label| runs.iter().map(label).collect::<Vec<String>>());
    let differ = |list: &&Vec<String>| (0..list.len()).all(|k| !list[..k].contains(&list[k]));
    match lists.iter().find(differ) {
        Some(list) => list.clone(),
        None => {
            lists[2].iter().enumerate().map(|(k, path)| format!("{path} ({})", k + 1)).collect()
        }
    }
}

/// A figure per quantity that at least one of the runs has.
pub fn overlays(runs: &[Results]) -> Vec<Drawing> {
    let labels = labels(runs);
    let finished: Vec<(&str, &Series)> =
        labels.iter().map(String::as_str).zip(runs.iter().map(|run| &run.series)).collect();
    let title = shared(runs.iter().map(|run| run.summary.case.title.as_str()));
    let units = shared(runs.iter().map(|run| run.summary.case.units.as_str()));
    let drawn = Runs { finished: &finished, title, units };
    let drawing = |quantity: quantities::Quantity| Drawing {
        name: quantity.name,
        caption: match quantity.name {
            "energies" => "Energies and works of each run, and its balance.".into(),
            _ => capitalised(&format!("{}, a curve per run.", quantity.title)),
        },
        figure: drawn.figure(&quantity),
    };
    quantities::all(&finished).into_iter().map(drawing).collect()
}

/// What all have, or nothing.
fn shared<'a>(mut values: impl Iterator<Item = &'a str>) -> &'a str {
    let first = values.next().unwrap_or_default();
    if values.all(|value| value == first) { first } else { "" }
}
