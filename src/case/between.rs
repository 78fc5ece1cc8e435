//! PairWords of `between`: masses, bodies, tables of bodies, materials.

use std::collections::BTreeMap;

use super::file::Pair;
use super::place::did_you_mean;
use super::validate::{Checked, Checker};
use super::{BodyCase, PairCase, SystemCase, WordCase};
use crate::error::Error;
use crate::rigid::BodyShape;

/// The word for every body.
pub(super) const ANY_BODY: &str = "bodies";
/// Names that an error lists at most.
const MOST_LISTED: usize = 30;

/// What words of `between` may mean.
pub(super) struct PairWords<'s> {
    system: &'s SystemCase,
    bodies: BTreeMap<&'s str, &'s BodyCase>,
    /// Bodies of each table.
    tables: BTreeMap<&'s str, usize>,
    /// Tables of each material.
    materials: BTreeMap<&'s str, &'s str>,
    /// Whether words may be groups of a mesh, which the model knows.
    has_mesh: bool,
}

/// What one of them means.
enum Meant<'s> {
    Mass,
    Single(&'s BodyCase),
    Several(WordCase),
    Unknown,
}

impl<'s> PairWords<'s> {
    pub fn of(system: &'s SystemCase, has_mesh: bool) -> Self {
        let bodies = system.bodies.iter().map(|body| (body.name.as_str(), body)).collect();
        let (mut tables, mut materials) = (BTreeMap::new(), BTreeMap::new());
        for body in &system.bodies {
            *tables.entry(body.table.as_str()).or_insert(0) += 1;
            // Of a material that is the name of another table that table is told.
            let table = materials.entry(body.material.as_str()).or_insert(body.table.as_str());
            if *table == body.material {
                *table = &body.table;
            }
        }
        Self { system, bodies, tables, materials, has_mesh }
    }

    fn meaning(&self, word: &str) -> Meant<'s> {
        if self.system.masses.iter().any(|mass| mass.name == word) {
            return Meant::Mass;
        }
        match self.bodies.get(word) {
            Some(body) => Meant::Single(body),
            None if self.tables.contains_key(word) => Meant::Several(WordCase::Table(word.into())),
            None if self.materials.contains_key(word) => {
                Meant::Several(WordCase::Material(word.into()))
            }
            None if word == ANY_BODY && !self.bodies.is_empty() => Meant::Several(WordCase::Any),
            None => Meant::Unknown,
        }
    }

    /// A table that another gives as its material.
    fn ambiguous(&self, word: &str) -> Option<&'s str> {
        let table = self.materials.get(word).copied().filter(|table| *table != word);
        table.filter(|_| self.tables.contains_key(word))
    }

    /// That a word means nothing, and what there is.
    fn unknown(&self, word: &str) -> String {
        if let Some((table, _)) = word.rsplit_once(':')
            && let Some(count) = self.tables.get(table)
        {
            return format!("'{word}' is no body; there are {table}:1 to {table}:{count}");
        }
        let masses = self.system.masses.iter().map(|mass| mass.name.as_str());
        let mut known: Vec<&str> = masses.chain(self.tables.keys().copied()).collect();
        known.extend(self.materials.keys().filter(|name| !self.tables.contains_key(*name)));
        let hint = match did_you_mean(word, known.iter().copied().chain([ANY_BODY])) {
            Some(near) => format!("; did you mean '{near}'?"),
            None => String::new(),
        };
        let more = if known.len() > MOST_LISTED { ", ..." } else { "" };
        known.truncate(MOST_LISTED);
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        format!(
            "'{word}' is no mass, body, table of bodies or material, nor \"{ANY_BODY}\" for all; there are: {known}{more}{hint}"
        )
    }
}

impl Checker<'_> {
    /// Whom a contact without an obstacle is between.
    pub(super) fn between(&self, key: &str, pair: &Pair, words: &PairWords) -> Checked<PairCase> {
        let Pair(names) = pair;
        let [first, second] = names.each_ref().map(|name| words.meaning(name));
        let several = matches!(first, Meant::Several(_));
        if !(names[0] == names[1] && several) {
            self.two(key, pair)?;
        }
        let unknown = [&first, &second].into_iter().zip(names);
        let unknown = unknown.into_iter().find(|(meant, _)| matches!(meant, Meant::Unknown));
        match unknown {
            Some(_) if words.has_mesh => return Ok(PairCase::Balls(names.clone())),
            Some((_, name)) => return Err(self.error(key, words.unknown(name))),
            None => {}
        }
        for name in names {
            if let Some(table) = words.ambiguous(name) {
                let message = format!(
                    "'{name}' is [body.{name}] and the material of [body.{table}] too; rename one of them"
                );
                return Err(self.error(key, message));
            }
        }
        let is_disk = |body: &BodyCase| {
            body.in_plane().is_some_and(|own| matches!(own.shape, BodyShape::Disk { .. }))
        };
        match (&first, &second) {
            (Meant::Mass, Meant::Mass) => return Ok(PairCase::Balls(names.clone())),
            (Meant::Mass, other) => return self.ball_and(key, &names[0], other, names),
            (other, Meant::Mass) => return self.ball_and(key, &names[1], other, names),
            (Meant::Single(a), Meant::Single(b)) if is_disk(a) && is_disk(b) => {
                return Ok(PairCase::Balls(names.clone()));
            }
            _ => {}
        }
        let word = |meant, name: &String| match meant {
            Meant::Several(word) => word,
            Meant::Mass | Meant::Single(_) | Meant::Unknown => WordCase::Body(name.clone()),
        };
        Ok(PairCase::Bodies([word(first, &names[0]), word(second, &names[1])]))
    }

    /// A mass meets one body of the plane; that it is a disk is seen where they are put together.
    fn ball_and(
        &self,
        key: &str,
        mass: &str,
        other: &Meant,
        names: &[String; 2],
    ) -> Checked<PairCase> {
        let refuse = |what: &str| -> Error {
            let message = format!(
                "'{mass}' is a mass, which meets {what}; make it a body, in space a \"sphere\" and in the plane a \"disk\""
            );
            self.error(key, message)
        };
        match other {
            Meant::Single(body) if body.in_plane().is_none() => Err(refuse("no body in space")),
            Meant::Several(_) => Err(refuse("one disk only, not several bodies")),
            Meant::Mass | Meant::Single(_) | Meant::Unknown => Ok(PairCase::Balls(names.clone())),
        }
    }
}
