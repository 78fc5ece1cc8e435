//! Which runs: every named run with every combination of the grid.

use super::file::{StudyFile, StudySetting, Text};
use crate::compare::Planned;
use crate::error::Error;

/// More runs than this are a slip of the keyboard.
const MOST_RUNS: usize = 100_000;
/// A label longer than this makes no folder: the number of the run does.
const LONGEST_FOLDER: usize = 100;
/// Devices that Windows finds in every folder.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "COM", "LPT"];

/// `key.path=value`, the value in TOML.
pub(super) fn assignment(setting: &StudySetting) -> String {
    format!("{}={}", setting.key, setting.value)
}

/// The runs and the keys that change among them, grid first.
pub(super) struct StudyPlan {
    pub runs: Vec<Planned>,
    /// What each run sets, in this order.
    pub settings: Vec<Vec<StudySetting>>,
    pub varied: Vec<String>,
}

/// A named run: what it is called and what it sets.
type Named = (String, Vec<StudySetting>);

pub(super) fn plan(text: &Text, file: &StudyFile) -> Result<StudyPlan, Error> {
    let set = text.settings(&["set"], &file.set);
    let axes = axes_of(text, file)?;
    let named = named_runs(text, file)?;
    if axes.is_empty() && named.is_empty() {
        let message =
            "there is nothing to vary; add a [grid] with lists of values, or tables [run.NAME]";
        return Err(Error::Usage(format!("{}: {message}", text.path.display())));
    }
    refuse_keys_set_twice(text, &set, &axes, &named)?;
    let mut varied: Vec<String> = axes.iter().map(|axis| axis.key.clone()).collect();
    for setting in named.iter().flat_map(|(_, settings)| settings) {
        if !varied.contains(&setting.key) {
            varied.push(setting.key.clone());
        }
    }
    let combinations = combinations(text, &axes, named.len().max(1))?;
    let nameless = [(String::new(), Vec::new())];
    let named = if named.is_empty() { &nameless[..] } else { &named[..] };
    let keys: Vec<&str> = axes.iter().map(|axis| axis.key.as_str()).collect();
    let (mut runs, mut settings) = (Vec::new(), Vec::new());
    for (name, own) in named {
        for combination in &combinations {
            let label = label_of(name, combination, &keys);
            let own = [&set, own, &combination[..]].concat();
            let kind = own.iter().rev().find(|setting| setting.key == "scheme.kind");
            let kind = kind.and_then(|setting| setting.value.as_str()).unwrap_or_default();
            runs.push(Planned::new(runs.len() + 1, label, kind, own.iter().map(assignment)));
            settings.push(own);
        }
    }
    name_folders(&mut runs);
    Ok(StudyPlan { runs, settings, varied })
}

/// A key and its values.
struct GridAxis {
    key: String,
    offset: usize,
    values: Vec<toml::Value>,
}

fn axes_of(text: &Text, file: &StudyFile) -> Result<Vec<GridAxis>, Error> {
    let axis = |setting: StudySetting| {
        let StudySetting { key, value, offset } = setting;
        let complain = |message: String| text.error(offset, format!("grid: {key}: {message}"));
        let toml::Value::Array(values) = value else {
            return Err(complain(format!("{value} is not a list; write [{value}, ...]")));
        };
        if values.is_empty() {
            return Err(complain("the list is empty; give one value or more".into()));
        }
        let twice = values.iter().enumerate().find(|(k, value)| values[..*k].contains(value));
        if let Some((_, value)) = twice {
            return Err(complain(format!("{value} stands there twice; give each value once")));
        }
        Ok(GridAxis { key, offset, values })
    };
    text.settings(&["grid"], &file.grid).into_iter().map(axis).collect()
}

/// In the order of the file. A name must be seen in a line of the table.
fn named_runs(text: &Text, file: &StudyFile) -> Result<Vec<Named>, Error> {
    let mut names: Vec<&String> = file.run.keys().collect();
    names.sort_by_key(|name| text.offset(&["run", name]));
    let named = |name: &String| {
        let complain = |message: &str| {
            let message = format!("run: {name:?} {message}; give a name, as [run.fine]");
            Err(text.error(text.offset(&["run", name]), message))
        };
        if name.trim().is_empty() {
            return complain("is blank");
        }
        if name.contains(char::is_control) {
            return complain("holds a control character");
        }
        Ok((name.clone(), text.settings(&["run", name], &file.run[name])))
    };
    names.into_iter().map(named).collect()
}

/// A run may change what is set for all; nothing else may stand in two places.
fn refuse_keys_set_twice(
    text: &Text,
    set: &[StudySetting],
    axes: &[GridAxis],
    named: &[Named],
) -> Result<(), Error> {
    for axis in axes {
        let here = |setting: &&StudySetting| setting.key == axis.key;
        let complain = |place: String| {
            let message = format!("grid: {} stands in [{place}] too; keep one", axis.key);
            Err(text.error(axis.offset, message))
        };
        if set.iter().any(|setting| here(&setting)) {
            return complain("set".into());
        }
        for (name, settings) in named {
            if settings.iter().any(|setting| here(&setting)) {
                return complain(format!("run.{name}"));
            }
        }
    }
    Ok(())
}

/// Every combination of the axes, the first key slowest; one that sets nothing where there are none.
fn combinations(
    text: &Text,
    axes: &[GridAxis],
    times: usize,
) -> Result<Vec<Vec<StudySetting>>, Error> {
    let count = axes.iter().try_fold(times, |n, axis| n.checked_mul(axis.values.len()));
    if count.is_none_or(|count| count > MOST_RUNS) {
        let message = format!("the grid has more than {MOST_RUNS} runs; give fewer values");
        return Err(text.error(text.offset(&["grid"]), message));
    }
    let mut all = vec![Vec::new()];
    for axis in axes {
        let with = |start: &Vec<StudySetting>, value: &toml::Value| {
            let (key, value) = (axis.key.clone(), value.clone());
            let more = StudySetting { key, value, offset: axis.offset };
            start.iter().cloned().chain([more]).collect()
        };
        all = all
            .iter()
            .flat_map(|start| axis.values.iter().map(move |value| with(start, value)))
            .collect();
    }
    Ok(all)
}

/// `name, step=0.001, friction=0.3`.
fn label_of(name: &str, combination: &[StudySetting], keys: &[&str]) -> String {
    let parts = combination.iter().map(|s| format!("{}={}", short(&s.key, keys), plain(&s.value)));
    let name = (!name.is_empty()).then(|| name.to_string());
    name.into_iter().chain(parts).collect::<Vec<String>>().join(", ")
}

/// The last names of a key that tell it from the other `keys`.
pub(super) fn short<'k>(key: &'k str, keys: &[&str]) -> &'k str {
    let starts = key.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]);
    let ends_another = |tail: &str| {
        let below = format!(".{tail}");
        keys.iter().any(|other| *other != key && (*other == tail || other.ends_with(&below)))
    };
    starts.map(|at| &key[at..]).find(|tail| !ends_another(tail)).unwrap_or(key)
}

/// A value without quotes.
pub(super) fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Float(number) => format!("{number:?}"),
        other => other.to_string(),
    }
}

/// `runs/LABEL`, plain and each once, also where a file system takes capitals for small letters; the number
/// where the label makes no folder or is taken.
fn name_folders(runs: &mut [Planned]) {
    let mut taken = std::collections::HashSet::new();
    for run in runs {
        let own = std::mem::take(&mut run.folder);
        let number = run.number;
        let numbered = std::iter::once(format!("run_{number}"))
            .chain((2..).map(|k| format!("run_{number}_{k}")));
        let mut names = Some(own).filter(|name| is_folder(name)).into_iter().chain(numbered);
        // Both ways: 'ß' and "SS", or the sign of the kelvin and 'K', are one to some.
        let free = |name: &String| taken.insert(name.to_lowercase().to_uppercase());
        run.folder = format!("runs/{}", names.find(free).unwrap_or_default());
    }
}

/// Whether a plain name is that of a folder within, seen and kept as it is, on every system.
fn is_folder(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_uppercase();
    let is_device = DEVICES.contains(&stem.trim_end_matches(|c: char| c.is_numeric()));
    let fits = !name.is_empty() && name.len() <= LONGEST_FOLDER;
    fits && !is_device && !name.starts_with('.') && !name.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(written: &str) -> Result<StudyPlan, Error> {
        let text = Text::given(written);
        plan(&text, &text.parse().unwrap())
    }

    fn labels(plan: &StudyPlan) -> Vec<&str> {
        plan.runs.iter().map(|run| run.label.as_str()).collect()
    }

    #[test]
    fn a_grid_is_every_combination_with_its_first_key_slowest() {
        let plan = planned(
            "case = \"c\"\n[set]\n\"scheme.end\" = 1.0\n[grid]\n\"scheme.step\" = [2e-4, 1e-4]\n\
             \"contact.floor.friction\" = [0, 0.5]\n",
        )
        .unwrap();
        let expected = [
            "step=0.0002, friction=0",
            "step=0.0002, friction=0.5",
            "step=0.0001, friction=0",
            "step=0.0001, friction=0.5",
        ];
        assert_eq!(labels(&plan), expected);
        assert_eq!(plan.varied, ["scheme.step", "contact.floor.friction"]);
        assert_eq!(plan.runs[1].folder, "runs/step=0.0002_friction=0.5");
        let expected = ["scheme.end=1.0", "scheme.step=0.0002", "contact.floor.friction=0.5"];
        assert_eq!(plan.runs[1].overrides, expected);
    }

    #[test]
    fn every_named_run_is_taken_with_every_combination() {
        let plan = planned(
            "case = \"c\"\n[set]\nscheme.law = \"moreau\"\n[run.newton]\nscheme.law = \"newton\"\n\
             [run.as_it_is]\n[grid]\nscheme.step = [1, 2]\n",
        )
        .unwrap();
        let expected = ["newton, step=1", "newton, step=2", "as_it_is, step=1", "as_it_is, step=2"];
        assert_eq!(labels(&plan), expected);
        assert_eq!(plan.varied, ["scheme.step", "scheme.law"]);
        let newton = &plan.runs[0].overrides;
        assert_eq!(*newton, ["scheme.law=\"moreau\"", "scheme.law=\"newton\"", "scheme.step=1"]);
    }

    #[test]
    fn another_kind_of_scheme_leaves_the_keys_of_the_first_behind() {
        let plan = planned("case = \"c\"\n[grid]\n\"scheme.kind\" = [\"newmark\"]\n").unwrap();
        let overrides = &plan.runs[0].overrides;
        assert!(overrides.contains(&"scheme.theta=".to_string()), "{overrides:?}");
        assert_eq!(overrides.last().unwrap(), "scheme.kind=\"newmark\"");
    }

    #[test]
    fn a_key_is_shortened_as_far_as_it_stays_its_own() {
        let keys = ["contact.floor.friction", "contact.wall.friction", "scheme.step"];
        assert_eq!(keys.map(|key| short(key, &keys)), ["floor.friction", "wall.friction", "step"]);
        assert_eq!(short("step", &["step", "scheme.step"]), "step");
    }

    #[test]
    fn folders_are_plain_and_each_run_has_its_own() {
        let plan = planned("case = \"c\"\n[grid]\n\"mesh.file\" = [\"a/b\", \"a b\"]\n").unwrap();
        let folders: Vec<&str> = plan.runs.iter().map(|run| run.folder.as_str()).collect();
        assert_eq!(folders, ["runs/file=a_b", "runs/run_2"]);
    }

    #[test]
    fn names_that_are_no_folders_everywhere_give_way_to_numbers() {
        let no = ["", ".", "..", ".a", "a.", "...", "NUL", "con", "com1.txt", "Lpt9"];
        assert!(no.iter().all(|name| !is_folder(name)));
        assert!(["a", "a.b", "console", "nul_", "-", "é", "step=0.5"].iter().all(|n| is_folder(n)));
        assert!(is_folder(&"L".repeat(100)) && !is_folder(&"L".repeat(101)));
    }

    #[test]
    fn what_is_no_plan_is_named() {
        for (written, told) in [
            ("", "s.toml: there is nothing to vary"),
            ("[grid]\na = 1\n", "s.toml:3: grid: a: 1 is not a list; write [1, ...]"),
            ("[grid]\na = []\n", "s.toml:3: grid: a: the list is empty"),
            ("[grid]\na = [1, 2, 1]\n", "s.toml:3: grid: a: 1 stands there twice"),
            ("[set]\na = 1\n[grid]\na = [1]\n", "s.toml:5: grid: a stands in [set] too"),
            ("[run.x]\na.b = 1\n[grid]\n\"a.b\" = [1]\n", "s.toml:5: grid: a.b stands in [run.x]"),
            ("[run.x]\n[run.\" \"]\n", "s.toml:3: run: \" \" is blank; give a name"),
            ("[run.\"a\\tb\"]\n", "s.toml:2: run: \"a\\tb\" holds a control character"),
        ] {
            let error = planned(&format!("case = \"c\"\n{written}")).map(|_| ()).unwrap_err();
            assert!(error.to_string().starts_with(told), "{error}");
        }
        let many = (0..400).map(|k| k.to_string()).collect::<Vec<_>>().join(", ");
        let error = planned(&format!("case = \"c\"\n[grid]\na = [{many}]\nb = [{many}]\n"));
        assert!(error.map(|_| ()).unwrap_err().to_string().contains("more than 100000 runs"));
    }
}
