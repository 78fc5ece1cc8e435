//! Which contact set rules which pair of bodies.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::case::{Case, ContactCase, PairCase};
use crate::error::Error;

use super::BodyCase;

/// A word of `between`, resolved: from the most special to the most general.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordCase {
    /// One body.
    Body(String),
    /// All bodies of a table.
    Table(String),
    /// All bodies of a material.
    Material(String),
    /// Every body.
    Any,
}

impl WordCase {
    /// How special it is, from 0.
    fn rank(&self) -> usize {
        match self {
            Self::Body(_) => 3,
            Self::Table(_) => 2,
            Self::Material(_) => 1,
            Self::Any => 0,
        }
    }

    /// Whether it means a body.
    pub fn means(&self, body: &BodyCase) -> bool {
        match self {
            Self::Body(name) => *name == body.name,
            Self::Table(table) => *table == body.table,
            Self::Material(material) => *material == body.material,
            Self::Any => true,
        }
    }
}

impl fmt::Display for WordCase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Body(name) => write!(f, "the body '{name}'"),
            Self::Table(table) => write!(f, "the bodies of [body.{table}]"),
            Self::Material(material) => write!(f, "the material '{material}'"),
            Self::Any => f.write_str("any body"),
        }
    }
}

/// Bodies that every word of every contact means or does not mean alike are one class; beyond so many classes pairs are
/// looked up word by word, not in a table.
const MOST_CLASSES: usize = 2048;
/// No set rules the pair.
const FREE: u32 = u32::MAX;

/// Which contact set rules a pair of bodies: of those that claim it the one whose words are the most special.
#[derive(Clone, Debug, Default)]
pub struct BodyLaws {
    /// Class of each body.
    class_of: Vec<u32>,
    classes: Vec<BodyClass>,
    /// Ruling set of each pair of classes, or nothing where there are too many.
    table: Vec<u32>,
    /// Ruling set of each pair of words; a set of two disks has its contact already.
    rules: HashMap<[u32; 2], PairRule>,
}

/// Bodies that every word means alike.
#[derive(Clone, Debug)]
struct BodyClass {
    /// The words that mean them, by rank.
    words: [Option<u32>; 4],
    /// The first two of them, or the only one.
    examples: Vec<usize>,
}

/// What rules the pairs of two words.
#[derive(Clone, Copy, Debug)]
struct PairRule {
    set: u32,
    is_balls: bool,
}

/// Two contact sets that claim a pair of bodies, and neither is more special.
struct PairConflict {
    sets: [usize; 2],
    bodies: [usize; 2],
}

impl Case {
    /// Which contact set rules which pair of bodies.
    ///
    /// # Errors
    ///
    /// Where two contacts claim a pair and neither is more special.
    pub fn body_laws(&self) -> Result<BodyLaws, Error> {
        let bodies = &self.system.bodies;
        BodyLaws::of(bodies, &self.contacts).map_err(|conflict| {
            let [first, second] = conflict.sets.map(|set| &self.contacts[set].name);
            let [a, b] = conflict.bodies.map(|body| &bodies[body].name);
            let message = format!(
                "claims '{a}' and '{b}', and so does contact '{first}', whose words are no less special; name bodies or tables in one of them"
            );
            self.error_at(&format!("contact.{second}.between"), message)
        })
    }
}

impl BodyLaws {
    fn of(bodies: &[BodyCase], contacts: &[ContactCase]) -> Result<Self, PairConflict> {
        let claims = claims(bodies, contacts);
        let mut numbers: HashMap<&WordCase, u32> = HashMap::new();
        let mut ranks = Vec::new();
        for word in claims.iter().flat_map(|claim| &claim.words) {
            numbers.entry(word).or_insert_with(|| {
                ranks.push(word.rank());
                ranks.len() as u32 - 1
            });
        }
        let (class_of, classes) = classes(bodies, &numbers);
        refuse_conflicts(&claims, &numbers, &classes)?;
        let rule = |claim: &PairClaim| {
            let words = claim.words.each_ref().map(|word| numbers[word]);
            (ordered(words), PairRule { set: claim.set as u32, is_balls: claim.is_balls })
        };
        let rules = claims.iter().map(rule).collect();
        let mut laws = Self { class_of, classes, table: Vec::new(), rules };
        let n = laws.classes.len();
        if n <= MOST_CLASSES {
            laws.table = (0..n * n).map(|at| laws.ruling(at / n, at % n)).collect();
        }
        Ok(laws)
    }

    /// The set of [`Case::contacts`] that rules two different bodies, by their indices in
    /// [`SystemCase::bodies`](crate::case::SystemCase::bodies); none where they pass through each other, or are two disks
    /// with a contact of their own ([`PairCase::Balls`]).
    #[inline]
    pub fn law_of(&self, a: usize, b: usize) -> Option<usize> {
        let [a, b] = [a, b].map(|body| self.class_of[body] as usize);
        let set = match self.table.is_empty() {
            true => self.ruling(a, b),
            false => self.table[a * self.classes.len() + b],
        };
        (set != FREE).then_some(set as usize)
    }

    /// The class of a body: of those of one class all obey the same.
    pub fn class_of(&self, body: usize) -> usize {
        self.class_of[body] as usize
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The set of two classes.
    pub fn law_of_classes(&self, a: usize, b: usize) -> Option<usize> {
        let set = self.ruling(a, b);
        (set != FREE).then_some(set as usize)
    }

    /// Whether a set may rule the body and some other: if not, nothing need look for what it meets.
    pub fn may_meet(&self, body: usize) -> bool {
        let own = self.class_of[body] as usize;
        (0..self.classes.len()).any(|other| self.ruling(own, other) != FREE)
    }

    /// The ruling set of two classes.
    fn ruling(&self, a: usize, b: usize) -> u32 {
        let [a, b] = [a, b].map(|class| &self.classes[class].words);
        let mut best: Option<(usize, PairRule)> = None;
        for (i, first) in a.iter().enumerate() {
            for (j, second) in b.iter().enumerate() {
                let (Some(first), Some(second)) = (first, second) else { continue };
                let rule = self.rules.get(&ordered([*first, *second]));
                match (rule, best) {
                    (Some(rule), Some((rank, _))) if i + j > rank => best = Some((i + j, *rule)),
                    (Some(rule), None) => best = Some((i + j, *rule)),
                    _ => {}
                }
            }
        }
        best.filter(|(_, rule)| !rule.is_balls).map_or(FREE, |(_, rule)| rule.set)
    }
}

/// A contact set between bodies.
struct PairClaim {
    set: usize,
    words: [WordCase; 2],
    is_balls: bool,
}

fn claims(bodies: &[BodyCase], contacts: &[ContactCase]) -> Vec<PairClaim> {
    let names: HashSet<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    let is_body = |name: &String| names.contains(name.as_str());
    let claim = |(set, contact): (usize, &ContactCase)| match &contact.pair {
        PairCase::Obstacle { .. } | PairCase::Points { .. } => None,
        PairCase::Balls(names) => {
            let words = names.each_ref().map(|name| WordCase::Body(name.clone()));
            names.iter().all(is_body).then_some(PairClaim { set, words, is_balls: true })
        }
        PairCase::Bodies(words) => Some(PairClaim { set, words: words.clone(), is_balls: false }),
    };
    // Without a set between any bodies, those of two disks rule themselves.
    let any = contacts.iter().any(|contact| matches!(contact.pair, PairCase::Bodies(_)));
    let contacts = contacts.iter().enumerate().filter(|_| any);
    contacts.filter_map(claim).collect()
}

/// The class of each body, and the classes in the order of their first bodies.
fn classes(bodies: &[BodyCase], numbers: &HashMap<&WordCase, u32>) -> (Vec<u32>, Vec<BodyClass>) {
    let mut by_rank: [HashMap<&str, u32>; 4] = Default::default();
    for (word, &number) in numbers {
        let name = match word {
            WordCase::Body(name) | WordCase::Table(name) | WordCase::Material(name) => name,
            WordCase::Any => "",
        };
        by_rank[word.rank()].insert(name, number);
    }
    let (mut known, mut classes) = (HashMap::new(), Vec::new());
    let class_of = |(index, body): (usize, &BodyCase)| {
        let names = ["", &body.material, &body.table, &body.name];
        let words: [Option<u32>; 4] =
            std::array::from_fn(|rank| by_rank[rank].get(names[rank]).copied());
        let class = *known.entry(words).or_insert_with(|| {
            classes.push(BodyClass { words, examples: Vec::new() });
            classes.len() - 1
        });
        let examples = &mut classes[class].examples;
        if examples.len() < 2 {
            examples.push(index);
        }
        class as u32
    };
    (bodies.iter().enumerate().map(class_of).collect(), classes)
}

/// That of two sets that claim a pair one is more special.
fn refuse_conflicts(
    claims: &[PairClaim],
    numbers: &HashMap<&WordCase, u32>,
    classes: &[BodyClass],
) -> Result<(), PairConflict> {
    let mut means: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    for (at, class) in classes.iter().enumerate() {
        class.words.iter().flatten().for_each(|word| means[*word as usize].push(at));
    }
    // The first two bodies that two words mean, or the only one.
    let common = |a: &WordCase, b: &WordCase| {
        let [a, b] = [a, b].map(|word| &means[numbers[word] as usize]);
        let both = a.iter().filter(|class| b.binary_search(class).is_ok());
        both.flat_map(|&class| &classes[class].examples).take(2).copied().collect::<Vec<_>>()
    };
    let rank = |claim: &PairClaim| claim.words[0].rank() + claim.words[1].rank();
    for (at, second) in claims.iter().enumerate() {
        let equal = claims[..at]
            .iter()
            .filter(|first| rank(first) == rank(second) && !(first.is_balls && second.is_balls));
        for first in equal {
            for [x, y] in [[0, 1], [1, 0]] {
                let one = common(&first.words[0], &second.words[x]);
                let other = common(&first.words[1], &second.words[y]);
                let pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| [a, b]));
                if let Some(bodies) = pairs.into_iter().find(|[a, b]| a != b) {
                    return Err(PairConflict { sets: [first.set, second.set], bodies });
                }
            }
        }
    }
    Ok(())
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::bodies::tests::{complaint, read};

    const BODIES: &str = "[body.brick]\nshape = 'box'\nsize = [1, 1]\nmass = 1\nposition = [0, 0]\nmaterial = 'stone'\n\
        repeat = { count = [3, 1], spacing = [2, 0] }\n\
        [body.slab]\nshape = 'box'\nsize = [9, 1]\nmass = 1\nposition = [0, -1]\nmaterial = 'stone'\n\
        [body.ball]\nshape = 'disk'\nradius = 1\nmass = 1\nposition = [0, 9]\n\
        [body.egg]\nshape = 'disk'\nradius = 1\nmass = 1\nposition = [9, 9]\n";

    fn contact(name: &str, words: [&str; 2]) -> String {
        let [a, b] = words;
        format!("[contact.{name}]\nbetween = ['{a}', '{b}']\nfriction = 0.5\nrestitution = 0\n")
    }

    fn case(contacts: &[(&str, [&str; 2])]) -> String {
        let contacts: Vec<String> =
            contacts.iter().map(|(name, words)| contact(name, *words)).collect();
        format!("{BODIES}{}", contacts.join("\n"))
    }

    /// The set that rules each pair, by the names of the bodies.
    fn rulers(contacts: &[(&str, [&str; 2])], pairs: &[[&str; 2]]) -> Vec<Option<String>> {
        let case = read(&case(contacts)).unwrap();
        let laws = case.body_laws().unwrap();
        let index =
            |name: &str| case.system.bodies.iter().position(|own| own.name == name).unwrap();
        let ruler = |[a, b]: &[&str; 2]| {
            let set = laws.law_of(index(a), index(b));
            assert_eq!(set, laws.law_of(index(b), index(a)));
            set.map(|set| case.contacts[set].name.clone())
        };
        pairs.iter().map(ruler).collect()
    }

    #[test]
    fn the_most_special_set_rules() {
        let contacts = [
            ("all", ["bodies", "bodies"]),
            ("masonry", ["stone", "stone"]),
            ("courses", ["brick", "brick"]),
            ("bond", ["brick:1", "brick:2"]),
            ("balls", ["ball", "egg"]),
        ];
        let pairs = [
            ["brick:1", "brick:2"],
            ["brick:1", "brick:3"],
            ["brick:1", "slab"],
            ["slab", "ball"],
            ["ball", "egg"],
        ];
        let found = rulers(&contacts, &pairs);
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        // The two disks have a contact of their own.
        assert_eq!(found, [Some("bond"), Some("courses"), Some("masonry"), Some("all"), None]);
        assert_eq!(rulers(&contacts[1..2], &pairs[3..]), [None, None]);
    }

    #[test]
    fn what_no_set_claims_passes_through() {
        let case = read(&case(&[("lean", ["slab", "brick"])])).unwrap();
        let laws = case.body_laws().unwrap();
        let may: Vec<bool> = (0..6).map(|body| laws.may_meet(body)).collect();
        let names: Vec<&str> = case.system.bodies.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["ball", "brick:1", "brick:2", "brick:3", "egg", "slab"]);
        assert_eq!(may, [false, true, true, true, false, true]);
        assert_eq!(laws.law_of(1, 2), None);
    }

    #[test]
    fn two_sets_of_which_none_is_more_special_are_refused() {
        let said = complaint(&case(&[("a", ["brick", "bodies"]), ("b", ["stone", "stone"])]));
        let says = "contact.b.between: claims 'brick:1' and 'brick:2', and so does contact 'a'";
        assert!(said.contains(says), "{said}");
        let fine = [("a", ["brick", "stone"]), ("b", ["stone", "stone"])];
        assert_eq!(rulers(&fine, &[["brick:1", "slab"]]), [Some("a".to_string())]);
        // Each means the slab alone, which is no pair.
        let alone = [("a", ["slab", "ball"]), ("b", ["slab", "egg"])];
        assert!(read(&case(&alone)).is_ok());
    }

    /// Beyond a table the same sets rule.
    #[test]
    fn laws_looked_up_by_words_are_those_of_the_table() {
        let contacts = [
            ("all", ["bodies", "bodies"]),
            ("one", ["brick:2", "stone"]),
            ("two", ["slab", "bodies"]),
        ];
        let laws = read(&case(&contacts)).unwrap().body_laws().unwrap();
        let without = BodyLaws { table: Vec::new(), ..laws.clone() };
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            assert_eq!(laws.law_of(a, b), without.law_of(a, b));
        }
    }
}
