//! From the raw file to a checked case: ranges, choices, and what goes with what.

use std::cell::RefCell;
use std::path::Path;

use super::between::PairWords;
use super::file::*;
use super::place::did_you_mean;
use super::read::error_at;
use super::*;
use crate::contact::solver::Method;
use crate::error::Error;

pub(super) type Checked<T> = Result<T, Error>;

/// Knows the file, so that every complaint tells its place.
pub(super) struct Checker<'a> {
    pub(super) path: &'a Path,
    source: &'a CaseText,
    /// What was met that fits a mesh of one dimension only.
    dimensioned: RefCell<Vec<Dimensioned>>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(path: &'a Path, source: &'a CaseText) -> Self {
        Self { path, source, dimensioned: RefCell::default() }
    }
}

pub(super) fn validate(path: &Path, file: CaseFile, source: CaseText) -> Checked<Case> {
    let check = Checker::new(path, &source);
    let scheme = check.scheme(&file.scheme)?;
    let name = path.file_stem().map_or("case".into(), |s| s.to_string_lossy().into_owned());
    let system = check.system(&file)?;
    let mesh = file.mesh.clone().unwrap_or_default();
    check.has_something_to_move(&file, &system)?;
    let tracks = !system.is_empty() || !file.probe.is_empty();
    let trajectory_every = if tracks { file.output.history_every.unwrap_or(1) } else { 0 };
    let words = PairWords::of(&system, file.mesh.is_some());
    let contacts = named(&file.contact, |n, t| check.contact(n, t, (&scheme, &words)))?;
    let case = Case {
        title: file.title.clone().unwrap_or_else(|| name.clone()),
        name,
        units: file.units.clone(),
        path: path.to_path_buf(),
        mesh: file
            .mesh
            .as_ref()
            .map(|_| MeshSource::File(path.parent().unwrap_or(Path::new("")).join(&mesh.file))),
        scale: mesh.scale.unwrap_or(1.0),
        system,
        probes: file.probe.iter().map(|(name, t)| (name.clone(), t.group.clone())).collect(),
        mass: check.choice(
            "mesh.mass",
            mesh.mass.as_deref(),
            &[("consistent", MassKind::Consistent), ("lumped", MassKind::Lumped)],
        )?,
        materials: named(&file.material, |n, t| check.material(n, t))?,
        boundaries: named(&file.boundary, |n, t| check.boundary(n, t))?,
        loads: named(&file.load, |n, t| check.load(n, t))?,
        contacts,
        preload: named(&file.initial.preload, |n, t| check.preload(n, t))?,
        displacements: named(&file.initial.displacement, |n, t| check.displacement(n, t))?,
        velocities: named(&file.initial.velocity, |n, t| check.velocity(n, t))?,
        solver: check.solver(&file.solver)?,
        output: OutputCase {
            fields_every: file.output.fields_every.unwrap_or(0) as usize,
            history_every: file.output.history_every.unwrap_or(1) as usize,
            trajectory_every: file.output.trajectory_every.unwrap_or(trajectory_every) as usize,
            checkpoint_every: file.output.checkpoint_every.unwrap_or(0) as usize,
        },
        scheme,
        source: source.clone(),
        dimensioned: check.dimensioned.take(),
    };
    case.check()?;
    Ok(case)
}

pub(super) fn named<T, U>(
    tables: &std::collections::BTreeMap<String, T>,
    check: impl Fn(&str, &T) -> Checked<U>,
) -> Checked<Vec<U>> {
    tables.iter().map(|(name, table)| check(name, table)).collect()
}

impl Checker<'_> {
    fn has_something_to_move(&self, file: &CaseFile, system: &SystemCase) -> Checked<()> {
        if file.mesh.is_none() && system.is_empty() {
            let message = "there is nothing to move; add a table [mesh] with its key mesh.file, \
                           [mass.NAME] or [body.NAME]";
            return Err(self.error("mesh", message));
        }
        if file.mesh.is_some() && file.material.is_empty() {
            let message = "there is no material; add a table [material.NAME]";
            return Err(self.error("material", message));
        }
        let needs_mesh = [
            ("material", file.material.keys().next()),
            ("initial.preload", file.initial.preload.keys().next()),
            ("probe", file.probe.keys().next()),
        ];
        let fields = &file.initial;
        let everywhere = [
            (
                "displacement",
                fields
                    .displacement
                    .iter()
                    .find(|(_, field)| field.group.is_none())
                    .map(|(name, _)| name),
            ),
            (
                "velocity",
                fields
                    .velocity
                    .iter()
                    .find(|(_, field)| field.group.is_none())
                    .map(|(name, _)| name),
            ),
        ];
        for (table, name) in everywhere.into_iter().filter_map(|(table, name)| Some((table, name?)))
        {
            if file.mesh.is_none() {
                let message = "is meant for the nodes of a mesh, and there is none; name a mass or body as its group";
                return Err(self.error(&format!("initial.{table}.{name}"), message));
            }
        }
        let homeless = needs_mesh.into_iter().find_map(|(table, name)| Some((table, name?)));
        match homeless {
            Some((table, name)) if file.mesh.is_none() => {
                let message = "needs a mesh; add [mesh], or leave it out";
                Err(self.error(&format!("{table}.{name}"), message))
            }
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> Error {
        error_at(self.path, self.source, key, message)
    }

    /// A number that satisfies a condition; NaN and infinity never do.
    pub(super) fn number(&self, key: &str, value: f64, holds: bool, wanted: &str) -> Checked<f64> {
        if value.is_finite() && holds {
            Ok(value)
        } else {
            Err(self.error(key, format!("{value:?} is not {wanted}")))
        }
    }

    pub(super) fn positive(&self, key: &str, value: f64) -> Checked<f64> {
        self.number(key, value, value > 0.0, "a finite number > 0")
    }

    pub(super) fn not_negative(&self, key: &str, value: f64) -> Checked<f64> {
        self.number(key, value, value >= 0.0, "a finite number >= 0")
    }

    pub(super) fn finite(&self, key: &str, value: f64) -> Checked<f64> {
        self.number(key, value, true, "a finite number")
    }

    /// A point or vector, with zeros beyond the numbers given; how many the mesh needs is not known
    /// here, so it is kept.
    pub(super) fn vector(&self, key: &str, given: &[f64]) -> Checked<[f64; 3]> {
        if !(1..=3).contains(&given.len()) {
            let message = format!(
                "has {} numbers; give one per dimension of the mesh: [x, y] in the plane, [x, y, z] in space",
                given.len()
            );
            return Err(self.error(key, message));
        }
        let mut vector = [0.0; 3];
        vector[..given.len()].copy_from_slice(given);
        self.only_in(given.len(), key, ["give [x]", "give [x, y]", "give [x, y, z]"]);
        Ok(vector)
    }

    /// Keeps that what stands at `key` fits a mesh of that dimension only, and what to do in others.
    pub(super) fn only_in(&self, dimension: usize, key: &str, remedies: [&'static str; 3]) {
        let key = key.to_string();
        self.dimensioned.borrow_mut().push(Dimensioned { key, dimension, remedies });
    }

    /// One of a closed set of words; the first is the default.
    pub(super) fn choice<T: Clone>(
        &self,
        key: &str,
        word: Option<&str>,
        choices: &[(&'static str, T)],
    ) -> Checked<T> {
        let Some(word) = word else { return Ok(choices[0].1.clone()) };
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(value.clone());
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let hint = match did_you_mean(word, names.iter().copied()) {
            Some(name) => format!("; did you mean \"{name}\"?"),
            None => String::new(),
        };
        let known = names.join("\", \"");
        Err(self.error(key, format!("\"{word}\" is not one of \"{known}\"{hint}")))
    }

    pub(super) fn component(&self, key: &str, word: &str) -> Checked<Component> {
        let all = [
            ("x", Component::X),
            ("y", Component::Y),
            ("z", Component::Z),
            ("all", Component::All),
        ];
        self.choice(key, Some(word), &all)
    }

    fn contact(
        &self,
        name: &str,
        table: &ContactTable,
        (scheme, words): (&SchemeCase, &PairWords),
    ) -> Checked<ContactCase> {
        let key = format!("contact.{name}.tangential_restitution");
        let tangential = match (scheme.law, table.tangential_restitution) {
            (Law::Moreau, Some(e_t)) => e_t,
            (Law::Moreau, None) => {
                let message = "law = \"moreau\" needs a tangential_restitution for every contact";
                return Err(self.error(&format!("contact.{name}"), message));
            }
            (Law::Newton | Law::Fremond, Some(_)) => {
                let message = "only law = \"moreau\" has a coefficient of its own; leave it out";
                return Err(self.error(&key, message));
            }
            (Law::Newton | Law::Fremond, None) => 0.0,
        };
        let theta = scheme.parameters.theta();
        Ok(ContactCase {
            name: name.into(),
            pair: self.pair_of(name, table, words)?,
            friction: table.friction.into(),
            restitution: scheme.law.restitution(theta, table.restitution, tangential),
        })
    }

    fn pair_of(&self, name: &str, table: &ContactTable, words: &PairWords) -> Checked<PairCase> {
        match (&table.group, &table.obstacle, &table.between) {
            (Some(group), Some(obstacle), None) => Ok(PairCase::Obstacle {
                group: group.clone(),
                obstacle: Box::new(self.obstacle(name, obstacle)?),
            }),
            (None, None, Some(between)) => {
                self.between(&format!("contact.{name}.between"), between, words)
            }
            _ => {
                let message = "give a group and an obstacle, or between = [name, name]";
                Err(self.error(&format!("contact.{name}"), message))
            }
        }
    }

    fn solver(&self, table: &SolverTable) -> Checked<SolverCase> {
        let methods = Method::ALL.map(|method| (method.name(), method));
        let policies = [
            ("stop", OnFailure::Stop),
            ("warn", OnFailure::Warn),
            ("continue", OnFailure::Continue),
        ];
        let default = SolverCase::default();
        Ok(SolverCase {
            method: self.choice("solver.method", table.method.as_deref(), &methods)?,
            tolerance: table.tolerance.unwrap_or(default.tolerance),
            max_iterations: table.max_iterations.map_or(default.max_iterations, |n| n as usize),
            on_failure: self.choice("solver.on_failure", table.on_failure.as_deref(), &policies)?,
            save_failures: table.save_failures.unwrap_or(default.save_failures),
            memory: match table.memory {
                Some(gigabytes) => {
                    Some((1e9 * self.positive("solver.memory", gigabytes)?) as usize)
                }
                None => None,
            },
        })
    }
}
