//! What we depend on: where it comes from, under which licence, and which compiler it asks for; by
//! `Cargo.lock` and `cargo metadata`, without the network. `cargo deny` (`.ci/long`) looks further: the texts of
//! the licences, other platforms, advisories.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn repository(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn toml_of(name: &str) -> toml::Table {
    std::fs::read_to_string(repository(name)).unwrap().parse().unwrap()
}

/// All packages that are built on this machine, by what their manifests say.
fn packages() -> Vec<Value> {
    let host = Command::new(env!("CARGO")).arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_string();
    let arguments =
        ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", &host];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The crates that are built with these arguments, ours too.
fn crates(more: &[&str]) -> BTreeSet<String> {
    let arguments = ["tree", "--locked", "--offline", "--edges", "normal", "--prefix", "none"];
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(arguments).args(more).current_dir(repository("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let name_and_version = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    text.lines().map(name_and_version).collect()
}

/// Whoever takes the library alone, without command, figures, studies and FCLIB, builds little more than half.
#[test]
fn the_numerics_alone_need_about_half_of_the_crates() {
    let (all, few) = (crates(&[]), crates(&["--no-default-features"]));
    assert!(few.is_subset(&all) && few.len() > 20, "{few:?}");
    let share = few.len() as f64 / all.len() as f64;
    assert!(share <= 0.54, "{} of {} crates", few.len(), all.len());
    for left_out in ["clap", "indicatif", "signal-hook", "resvg", "dejavu", "parquet", "hdf5-pure"]
    {
        let named = |known: &BTreeSet<String>| {
            known.iter().any(|own| own.split(' ').next() == Some(left_out))
        };
        assert!(named(&all) && !named(&few), "{left_out}");
    }
}

fn strings(value: &toml::Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_string()).collect()
}

/// Whether a licence expression can be met with the licences allowed: `/` and `OR` let choose, `AND` does not.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.trim();
    let split = |word: &str| -> Option<(String, String)> {
        let mut depth = 0;
        for (at, c) in expression.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 && expression[at..].starts_with(word) {
                return Some((expression[..at].into(), expression[at + word.len()..].into()));
            }
        }
        None
    };
    if let Some((left, right)) = split(" OR ").or_else(|| split("/")) {
        return is_met(&left, allowed) || is_met(&right, allowed);
    }
    if let Some((left, right)) = split(" AND ") {
        return is_met(&left, allowed) && is_met(&right, allowed);
    }
    match expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => is_met(inner, allowed),
        None => allowed.contains(expression),
    }
}

/// `1.95` and `1.95.0` are the same.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').map(|number| number.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT", "Zlib"].map(String::from).into();
    for met in
        ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "(MIT OR A) AND Zlib", "MIT AND (A OR Zlib)"]
    {
        assert!(is_met(met, &allowed), "{met}");
    }
    for not in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND A", "", "MIT WITH exception"] {
        assert!(!is_met(not, &allowed), "{not}");
    }
}

#[test]
fn every_package_has_a_licence_that_is_allowed() {
    let allowed = strings(&toml_of("deny.toml")["licenses"]["allow"]);
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| !is_met(package["license"].as_str().unwrap_or_default(), &allowed))
        .map(|package| {
            format!("{} {}: {}", package["name"], package["version"], package["license"])
        })
        .collect();
    assert!(refused.is_empty(), "not in licenses.allow of deny.toml:\n{}", refused.join("\n"));
}

#[test]
fn every_package_comes_from_the_registry_with_its_checksum() {
    let lock = toml_of("Cargo.lock");
    for package in lock["package"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        if name == env!("CARGO_PKG_NAME") {
            continue;
        }
        let source = package.get("source").and_then(toml::Value::as_str);
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        assert_eq!(source, Some(registry), "{name} of Cargo.lock");
        let checksum = package.get("checksum").and_then(toml::Value::as_str);
        assert_eq!(checksum.map(str::len), Some(64), "{name} of Cargo.lock");
    }
}

/// Whoever asks for a newer compiler than we declare makes our declaration untrue. What this and the lint
/// `incompatible_msrv` do not see: packages that declare nothing, and features of the language.
#[test]
fn no_package_asks_for_a_newer_compiler_than_we_declare() {
    let ours = version(env!("CARGO_PKG_RUST_VERSION"));
    for package in packages() {
        if let Some(theirs) = package["rust_version"].as_str() {
            assert!(version(theirs) <= ours, "{} asks for {theirs}", package["name"]);
        }
    }
}

/// The lock file holds what all platforms need; twice is only what deny.toml gives a reason for.
#[test]
fn packages_that_are_there_twice_have_a_reason() {
    let deny = toml_of("deny.toml");
    let mut reasons = BTreeSet::new();
    for skipped in deny["bans"]["skip"].as_array().unwrap() {
        assert!(!skipped["reason"].as_str().unwrap().is_empty(), "{skipped}");
        reasons.insert(skipped["crate"].as_str().unwrap().to_string());
    }
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap().to_string();
        versions.entry(name).or_default().push(package["version"].as_str().unwrap().to_string());
    }
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let is_reasoned = |version: &&String| {
            reasons.iter().any(|reason| {
                let (own, prefix) = reason.split_once('@').unwrap();
                own == name && (*version == prefix || version.starts_with(&format!("{prefix}.")))
            })
        };
        let without = versions.iter().filter(|version| !is_reasoned(version)).count();
        assert_eq!(without, 1, "{name} {versions:?}: all but one need a reason in deny.toml");
    }
}

/// Builds of the gate and the long job take Cargo.lock as it is.
#[test]
fn continuous_integration_builds_what_the_lock_file_says() {
    for script in [".ci/run", ".ci/long"] {
        let text = std::fs::read_to_string(repository(script)).unwrap();
        let builds = ["cargo clippy", "cargo doc", "cargo test", "cargo build", "cargo run"];
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            let is_build = builds.iter().any(|build| line.contains(build));
            assert!(!is_build || line.contains("--locked"), "{script}: {line}");
        }
    }
}
