//! PairWords of `between`: masses, bodies, tables of bodies, materials.

use std::collections::BTreeMap;

use super::file::Pair;
use super::place::did_you_mean;
use super::validate::{Checked, Checker};
use super::{BodyCase, PairCase, SystemCase, WordCase};
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
        for name in names {
            if let Some(table) = words.ambiguous(name) {
                let message = format!(
                    "'{name}' is [body.{name}] and the material of [body.{table}] too; rename one of them"
                );
                return Err(self.error(key, message));
            }
        }
        // A word that nothing here has may be a group of the mesh.
        let is_point =
            |meant: &Meant| matches!(meant, Meant::Mass) || (words.has_mesh && meant.is_unknown());
        let met = match (is_point(&first), is_point(&second)) {
            (true, false) => points(&names[0], !first.is_unknown(), &second, names),
            (false, true) => points(&names[1], !second.is_unknown(), &first, names),
            (true, true) | (false, false) => None,
        };
        if let Some(met) = met {
            return Ok(met);
        }
        let unknown = [&first, &second].into_iter().zip(names);
        let unknown = unknown.into_iter().find(|(meant, _)| meant.is_unknown());
        match unknown {
            Some(_) if words.has_mesh => return Ok(PairCase::Balls(names.clone())),
            Some((_, name)) => return Err(self.error(key, words.unknown(name))),
            None => {}
        }
        match (&first, &second) {
            (Meant::Mass, Meant::Mass) => return Ok(PairCase::Balls(names.clone())),
            (Meant::Single(a), Meant::Single(b)) if is_disk(a) && is_disk(b) => {
                return Ok(PairCase::Balls(names.clone()));
            }
            _ => {}
        }
        let word = |meant: Meant, name: &String| {
            meant.word(name).unwrap_or_else(|| WordCase::Body(name.clone()))
        };
        Ok(PairCase::Bodies([word(first, &names[0]), word(second, &names[1])]))
    }
}

impl Meant<'_> {
    fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// As a word for bodies, where it means some.
    fn word(&self, name: &str) -> Option<WordCase> {
        match self {
            Self::Single(_) => Some(WordCase::Body(name.into())),
            Self::Several(word) => Some(word.clone()),
            Self::Mass | Self::Unknown => None,
        }
    }
}

fn is_disk(body: &BodyCase) -> bool {
    body.in_plane().is_some_and(|own| matches!(own.shape, BodyShape::Disk { .. }))
}

/// Points and the bodies that they meet. A mass and a disk are two disks.
fn points(points: &str, is_mass: bool, meant: &Meant, names: &[String; 2]) -> Option<PairCase> {
    match meant {
        Meant::Single(body) if is_mass && is_disk(body) => Some(PairCase::Balls(names.clone())),
        Meant::Single(_) | Meant::Several(_) | Meant::Mass | Meant::Unknown => {
            let name = if names[0] == points { &names[1] } else { &names[0] };
            Some(PairCase::Points { points: points.into(), bodies: meant.word(name)? })
        }
    }
}
