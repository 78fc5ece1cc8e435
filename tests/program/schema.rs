//! The schema of case files agrees with the parser: what one takes the other takes, what one refuses the other
//! refuses.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::path::PathBuf;

use boon::{Compiler, SchemaIndex, Schemas};
use delassus::case::{Case, Key, KeyKind, Limit, Many, TIME_KEYS, keys, schema};
use serde_json::{Value, json};

use crate::support::{Folder, repository, stderr, stdout};

/// A validator of one schema.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn of(schema: Value) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("case.json", schema).unwrap();
        let index = compiler.compile("case.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn accepts(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    fn complaint(&self, value: &Value) -> String {
        self.schemas.validate(value, self.index).map_or_else(|e| format!("{e}"), |()| String::new())
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(repository("cases")).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    cases.sort();
    assert!(cases.len() > 20);
    cases
}

fn json_of(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

#[test]
fn every_case_of_the_repository_fits_the_schema() {
    let validator = Validator::of(schema());
    for path in cases() {
        let value = json_of(&std::fs::read_to_string(&path).unwrap());
        assert!(validator.accepts(&value), "{}: {}", path.display(), validator.complaint(&value));
    }
}

/// The dotted path in a tree of tables, made where it is not.
fn put(root: &mut Value, path: &str, value: Value) {
    let mut place = root;
    for name in path.split('.') {
        place = &mut place[name];
    }
    *place = value;
}

/// Every key at once: what excludes each other is no matter of the schema.
#[test]
fn every_example_fits_the_schema_and_its_default_too() {
    let value_of = |key: &Key, text: &str| -> Value {
        let wrapped = format!("value = {text}");
        let table: toml::Table =
            toml::from_str(&wrapped).unwrap_or_else(|e| panic!("{}: {e}", key.path));
        serde_json::to_value(&table["value"]).unwrap()
    };
    let validator = Validator::of(schema());
    let (mut all, mut time) = (json!({}), json!({}));
    keys().for_each(|key| put(&mut all, key.path, value_of(key, key.example)));
    TIME_KEYS.iter().for_each(|key| put(&mut time, key.path, value_of(key, key.example)));
    put(&mut all, "load.NAME.time", time["time"].clone());
    assert!(validator.accepts(&all), "{}", validator.complaint(&all));
    let defaults = defaults(&schema(), String::new());
    assert!(defaults.len() > 20, "{defaults:?}");
    for (path, default) in defaults {
        let mut with = all.clone();
        put(&mut with, &path, default);
        assert!(validator.accepts(&with), "{path}: {}", validator.complaint(&with));
    }
    for key in keys().chain(TIME_KEYS) {
        assert!(!key.example.is_empty() && !key.meaning.is_empty(), "{}", key.path);
        let numeric = matches!(
            key.kind,
            KeyKind::Number(_)
                | KeyKind::Numbers { .. }
                | KeyKind::Count(_)
                | KeyKind::Counts(_)
                | KeyKind::OneOrThree { .. }
                | KeyKind::Corners
                | KeyKind::Pieces
                | KeyKind::Balls
        );
        assert_eq!(numeric, !key.unit.is_empty(), "{}: a unit goes with a number", key.path);
    }
}

/// Paths and defaults below a table of the schema.
fn defaults(table: &Value, path: String) -> Vec<(String, Value)> {
    let inside = |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
    let mut found = Vec::new();
    for (name, property) in table["properties"].as_object().into_iter().flatten() {
        match property.get("default") {
            Some(default) => found.push((inside(name), default.clone())),
            None => found.extend(defaults(property, inside(name))),
        }
    }
    if table["additionalProperties"].is_object() {
        found.extend(defaults(&table["additionalProperties"], inside("NAME")));
    }
    found
}

/// Paths of the values in a case that are no tables.
fn leaves(prefix: &str, value: &Value, found: &mut Vec<String>) {
    match value.as_object() {
        Some(table) => {
            for (name, value) in table {
                let path =
                    if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                leaves(&path, value, found);
            }
        }
        None => found.push(prefix.to_string()),
    }
}

fn key_of(path: &str) -> &'static Key {
    let fits = |own: &str, given: &str| {
        let (own, given): (Vec<&str>, Vec<&str>) =
            (own.split('.').collect(), given.split('.').collect());
        own.len() == given.len() && own.iter().zip(given).all(|(o, g)| *o == "NAME" || *o == g)
    };
    let is_time = |table: &str| table == "time" || table.starts_with("time_");
    let of_time =
        path.rsplit_once('.').filter(|(to, _)| to.rsplit('.').next().is_some_and(is_time));
    let found = match of_time {
        Some((_, own)) => TIME_KEYS.iter().find(|key| key.path == format!("time.{own}")),
        None => keys().find(|key| fits(key.path, path)),
    };
    found.unwrap_or_else(|| panic!("no key {path}"))
}

/// Values that a key must not have, as TOML.
fn wrong_values(kind: KeyKind) -> Vec<String> {
    let beyond = |limit: Limit, sign: f64| match limit {
        Limit::Free => None,
        Limit::Without(x) => Some(format!("{x:?}")),
        Limit::With(x) => Some(format!("{:?}", x + sign * 1e-3)),
    };
    let mut wrong: Vec<String> = match kind {
        KeyKind::Text | KeyKind::Path | KeyKind::Group(_) => vec!["1.5".into()],
        KeyKind::Words(_) => vec!["'banana'".into(), "3".into()],
        KeyKind::Flag => vec!["'yes'".into(), "1".into()],
        KeyKind::Count(least) => {
            vec!["1.5".into(), "'x'".into(), format!("{}", i64::from(least) - 1)]
        }
        KeyKind::Number(bounds) => {
            let ends = [beyond(bounds.0, -1.0), beyond(bounds.1, 1.0)];
            ends.into_iter().flatten().chain(["'x'".into(), "true".into()]).collect()
        }
        KeyKind::Numbers { many, positive, .. } => {
            let mut wrong = vec!["['x']".into(), "1.0".into(), "[]".into()];
            if let Many::Between(_, most) | Many::Either(_, most) = many {
                wrong.push(format!("{:?}", vec![1.0; most + 1]));
            }
            wrong.extend(positive.then(|| "[-1.0, -1.0]".to_string()));
            wrong
        }
        KeyKind::Counts(_) => {
            ["[0, 1, 1]", "[1.5, 1.0]", "[]", "3", "[1, 1, 1, 1]"].map(String::from).into()
        }
        KeyKind::OneOrThree { positive } => {
            let mut wrong =
                ["'x'", "[]", "[1.0, 1.0]", "['x', 1.0, 1.0]"].map(String::from).to_vec();
            wrong.extend(positive.then(|| "-1.0".into()));
            wrong
        }
        KeyKind::Pieces => vec!["[]".into(), "[[[0.0, 0.0, 0.0]]]".into(), "[0.0]".into()],
        KeyKind::Balls => vec!["[[0.0, 0.0, 0.0]]".into(), "[0.0]".into()],
        KeyKind::Corners => vec!["[[0.0, 0.0], [1.0, 0.0]]".into(), "[0.0]".into()],
        KeyKind::Pair => vec!["['a', 'b', 'c']".into(), "['a']".into(), "'a'".into()],
        KeyKind::Time => vec!["1.0".into()],
    };
    wrong.push("{ x = 1 }".into());
    wrong
}

/// Every value of every case, set wrong in every way its kind has: both refuse it.
#[test]
fn schema_and_parser_refuse_the_same_values() {
    let (validator, mut tried) = (Validator::of(schema()), 0);
    for path in cases() {
        let good = json_of(&std::fs::read_to_string(&path).unwrap());
        let mut places = Vec::new();
        leaves("", &good, &mut places);
        for place in places {
            for wrong in wrong_values(key_of(&place).kind) {
                let mut bad = good.clone();
                put(&mut bad, &place, json_of(&format!("value = {wrong}"))["value"].clone());
                let set = format!("{place}={wrong}");
                let error = Case::read(&path, std::slice::from_ref(&set)).expect_err(&set);
                assert_eq!(error.exit_code(), 2, "{error}");
                assert!(!validator.accepts(&bad), "{}: {set} fits the schema", path.display());
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "only {tried} were tried");
}

/// A key more or, of those required, one less, in every table of every case.
#[test]
fn schema_and_parser_refuse_the_same_keys() {
    let validator = Validator::of(schema());
    for path in cases() {
        let good = json_of(&std::fs::read_to_string(&path).unwrap());
        let mut places = Vec::new();
        leaves("", &good, &mut places);
        for place in places {
            let mut bad = good.clone();
            put(&mut bad, &format!("{place}x"), json!(1));
            assert!(!validator.accepts(&bad), "{}: {place}x fits", path.display());
            assert!(Case::read(&path, &[format!("{place}x=1")]).is_err(), "{place}x");
            let (table, name) = place.rsplit_once('.').unwrap_or(("", &place));
            let mut without = good.clone();
            let mut inner = &mut without;
            for part in table.split('.').filter(|part| !part.is_empty()) {
                inner = &mut inner[part];
            }
            inner.as_object_mut().unwrap().remove(name);
            if key_of(&place).default == "required" {
                assert!(!validator.accepts(&without), "{}: fits without {place}", path.display());
                assert!(Case::read(&path, &[format!("{place}=")]).is_err(), "without {place}");
            } else if Case::read(&path, &[format!("{place}=")]).is_ok() {
                assert!(validator.accepts(&without), "{}: without {place}", path.display());
            }
        }
    }
}

#[test]
fn the_page_of_reference_is_what_the_command_prints() {
    let folder = Folder::new();
    let printed = stdout(&folder.delassus(&["keys", "--markdown"]));
    let page = std::fs::read_to_string(repository("docs/src/reference/case.md")).unwrap();
    let remedy = "delassus keys --markdown > docs/src/reference/case.md";
    assert!(page == printed, "the page is out of date; write it anew: {remedy}");
    for key in keys().chain(TIME_KEYS) {
        let name = key.path.rsplit('.').next().unwrap();
        assert!(page.contains(&format!("| `{name}` | ")), "{}", key.path);
    }
}

#[test]
fn a_word_picks_the_keys_that_hold_it_and_a_wrong_one_is_told() {
    let folder = Folder::new();
    let (all, some) = (folder.delassus(&["keys"]), folder.delassus(&["keys", "restitution"]));
    let (all, some) = (stdout(&all), stdout(&some));
    assert!(some.lines().count() < all.lines().count() / 4);
    assert!(some.contains("contact.NAME.restitution\n") && !some.contains("mesh.file\n"));
    let output = folder.delassus(&["keys", "resitution"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no key holds 'resitution'; did you mean 'restitution'?"));
    let printed: Value = serde_json::from_str(&stdout(&folder.delassus(&["schema"]))).unwrap();
    assert_eq!(printed, schema());
}
