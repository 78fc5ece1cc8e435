//! Names that every case keeps apart, and that words of contacts mean something.

use std::collections::HashSet;

use super::between::ANY_BODY;
use super::system::GROUND;
use super::validate::{Checked, Checker};
use super::{Case, PairCase};

impl Checker<'_> {
    /// Names that mean one thing only: every table's own, those of columns of trajectory.csv, and that of the ground.
    pub(super) fn sound_names(&self, case: &Case) -> Checked<()> {
        let system = &case.system;
        let masses: HashSet<&str> = system.masses.iter().map(|mass| mass.name.as_str()).collect();
        let bodies = || system.bodies.iter().flat_map(|body| [&body.name, &body.table]);
        let bodies: HashSet<&str> = bodies().map(String::as_str).collect();
        let refuse = |table: &str, name: &str, message: String| {
            Err(self.error(&format!("{table}.{name}"), message))
        };
        let same = |what: &str| format!("{what} has the same name; rename one of them");
        for (table, names) in tables(case) {
            let mut before = HashSet::new();
            if let Some(name) = names.into_iter().find(|name| !before.insert(*name)) {
                return refuse(table, name, same("another of them"));
            }
        }
        let first = |taken: &HashSet<&str>| {
            let own = system.bodies.iter();
            own.map(|body| body.table.as_str()).find(|name| taken.contains(name)).or_else(|| {
                let mut own = system.bodies.iter().map(|body| body.name.as_str());
                own.find(|name| taken.contains(name))
            })
        };
        if let Some(name) = first(&masses) {
            return refuse("body", name, same(&format!("[mass.{name}]")));
        }
        let touches = |name: &str| case.contacts.iter().any(|contact| contact.name == name);
        if let Some(slider) = system.sliders.iter().find(|slider| touches(&slider.name)) {
            return refuse("slider", &slider.name, same("a contact"));
        }
        let taken = |name: &str| masses.contains(name) || bodies.contains(name);
        if let Some((name, _)) = case.probes.iter().find(|(name, _)| taken(name)) {
            return refuse("probe", name, same("a mass or body"));
        }
        let still = || "'ground' is what does not move; rename it".into();
        if masses.contains(GROUND) {
            return refuse("mass", GROUND, still());
        }
        match first(&HashSet::from([GROUND, ANY_BODY])) {
            Some(GROUND) => refuse("body", GROUND, still()),
            Some(name) => {
                refuse("body", name, format!("'{name}' is any body in a contact; rename it"))
            }
            None => Ok(()),
        }
    }

    /// That words of contacts between bodies mean some, and that one set at most rules a pair.
    pub(super) fn sound_words(&self, case: &Case) -> Checked<()> {
        let mut any = false;
        for contact in &case.contacts {
            let words = match &contact.pair {
                PairCase::Bodies(words) => words.as_slice(),
                PairCase::Points { bodies, .. } => std::slice::from_ref(bodies),
                PairCase::Obstacle { .. } | PairCase::Balls(_) => continue,
            };
            any |= matches!(contact.pair, PairCase::Bodies(_));
            let bodies = &case.system.bodies;
            let empty = words.iter().find(|word| !bodies.iter().any(|body| word.means(body)));
            if let Some(word) = empty {
                let message = format!("there are none of {word}; name bodies that there are");
                return Err(self.error(&format!("contact.{}.between", contact.name), message));
            }
        }
        if any { case.body_laws().map(drop) } else { Ok(()) }
    }
}

/// The names of every table, in the order in which they stand.
fn tables(case: &Case) -> [(&'static str, Vec<&str>); 13] {
    macro_rules! names {
        ($list:expr) => {
            $list.iter().map(|own| own.name.as_str()).collect()
        };
    }
    [
        ("mass", names!(case.system.masses)),
        ("body", names!(case.system.bodies)),
        ("spring", names!(case.system.springs)),
        ("slider", names!(case.system.sliders)),
        ("joint", names!(case.system.joints)),
        ("probe", case.probes.iter().map(|(name, _)| name.as_str()).collect()),
        ("material", names!(case.materials)),
        ("boundary", names!(case.boundaries)),
        ("load", names!(case.loads)),
        ("contact", names!(case.contacts)),
        ("initial.preload", names!(case.preload)),
        ("initial.displacement", names!(case.displacements)),
        ("initial.velocity", names!(case.velocities)),
    ]
}
