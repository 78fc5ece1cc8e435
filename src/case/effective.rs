//! The case as it is run: the file's text with the overrides in it, and the files it names.

use std::path::PathBuf;

use super::read::assign;
use super::{Case, PairCase, ShapeCase};
use crate::error::Error;

impl Case {
    /// The tables of the file with the overrides in them.
    pub fn effective(&self) -> Result<toml::Table, Error> {
        let complain = |error: toml::de::Error| Error::Usage(error.message().to_string());
        let mut table: toml::Table = toml::from_str(&self.source.text).map_err(complain)?;
        self.overrides().iter().try_for_each(|assignment| assign(&mut table, assignment))?;
        Ok(table)
    }

    /// The files that a run reads beside the case: its mesh and the surfaces of obstacles.
    pub fn files(&self) -> Vec<PathBuf> {
        let surface = |pair: &PairCase| match pair {
            PairCase::Obstacle { obstacle, .. } => match &obstacle.shape {
                ShapeCase::File { file, .. } => Some(file.clone()),
                ShapeCase::Known(_) => None,
            },
            PairCase::Balls(_) => None,
        };
        let surfaces = self.contacts.iter().filter_map(|contact| surface(&contact.pair));
        self.mesh.iter().cloned().chain(surfaces).collect()
    }
}
