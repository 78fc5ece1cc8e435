//! Units of quantities, from the units of a case.

/// What a quantity is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A number without unit.
    Count,
    /// Time.
    Time,
    /// Length.
    Length,
    /// Length².
    Area,
    /// Angle.
    Angle,
    /// Length per time.
    Velocity,
    /// Angle per time.
    Spin,
    /// Force times length.
    Energy,
    /// Force times time.
    Impulse,
    /// Mass times length per time².
    Force,
    /// Force per area.
    Pressure,
    /// Mass per volume.
    Density,
}

/// The names of a unit system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    length: String,
    time: String,
    /// A name of its own, or mass · length / time².
    force: Option<String>,
    /// A name of its own, or force per length².
    pressure: Option<String>,
    mass: String,
}

/// Name and size in metres, seconds, kilograms.
const LENGTHS: [(&str, f64); 6] =
    [("m", 1.0), ("mm", 1e-3), ("cm", 1e-2), ("km", 1e3), ("µm", 1e-6), ("um", 1e-6)];
const TIMES: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("us", 1e-6)];
const MASSES: [(&str, f64); 4] = [("kg", 1.0), ("g", 1e-3), ("mg", 1e-6), ("t", 1e3)];
/// Name and size in newtons and pascals.
const FORCES: [(&str, f64); 3] = [("N", 1.0), ("kN", 1e3), ("mN", 1e-3)];
const PRESSURES: [(&str, f64); 4] = [("Pa", 1.0), ("kPa", 1e3), ("MPa", 1e6), ("GPa", 1e9)];

impl Units {
    /// Of a list as cases give it, "mm, ms, g"; none where it names not exactly a length, a time and
    /// a mass.
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let one_of = |known: &[(&str, f64)]| {
            let mut found = known.iter().filter(|(name, _)| words.contains(name));
            match (found.next(), found.next()) {
                (Some(&(name, size)), None) => Some((name.to_string(), size)),
                _ => None,
            }
        };
        let (length, time, mass) = (one_of(&LENGTHS)?, one_of(&TIMES)?, one_of(&MASSES)?);
        if words.len() != 3 {
            return None;
        }
        let newtons = mass.1 * length.1 / (time.1 * time.1);
        let pascals = newtons / (length.1 * length.1);
        Some(Self {
            length: length.0,
            time: time.0,
            force: named(&FORCES, newtons),
            pressure: named(&PRESSURES, pascals),
            mass: mass.0,
        })
    }

    /// What a list of units leaves open: a length, a time, or a mass, which a force tells as well. A word that
    /// is not known may be any of them, and a text that names no known unit, as "dimensionless", is a system.
    pub fn missing(text: &str) -> Vec<&'static str> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let count =
            |known: &[(&str, f64)]| known.iter().filter(|(name, _)| words.contains(name)).count();
        let told = [count(&LENGTHS), count(&TIMES), count(&MASSES) + count(&FORCES)];
        let known = told.iter().sum::<usize>() + count(&PRESSURES);
        let names = ["length", "time", "mass"].into_iter().zip(told);
        let open: Vec<&str> = names.filter(|(_, told)| *told == 0).map(|(name, _)| name).collect();
        let may_be_told = known == 0 || open.len() + known <= words.len();
        if may_be_told { Vec::new() } else { open }
    }

    /// The unit of a quantity; empty for a number.
    pub fn of(&self, dimension: Dimension) -> String {
        let Self { length, time, force, pressure, mass } = self;
        match (dimension, force) {
            (Dimension::Count, _) => String::new(),
            (Dimension::Time, _) => time.clone(),
            (Dimension::Length, _) => length.clone(),
            (Dimension::Area, _) => format!("{length}²"),
            (Dimension::Angle, _) => "rad".into(),
            (Dimension::Velocity, _) => format!("{length}/{time}"),
            (Dimension::Spin, _) => format!("rad/{time}"),
            (Dimension::Energy, Some(force)) if length == "m" && force == "N" => "J".into(),
            (Dimension::Energy, Some(force)) => format!("{force}·{length}"),
            (Dimension::Energy, None) => format!("{mass}·{length}²/{time}²"),
            (Dimension::Impulse, Some(force)) => format!("{force}·{time}"),
            (Dimension::Impulse, None) => format!("{mass}·{length}/{time}"),
            (Dimension::Force, Some(force)) => force.clone(),
            (Dimension::Force, None) => format!("{mass}·{length}/{time}²"),
            (Dimension::Density, _) => format!("{mass}/{length}³"),
            (Dimension::Pressure, _) => {
                pressure.clone().unwrap_or_else(|| format!("{mass}/({length}·{time}²)"))
            }
        }
    }
}

/// The name of a unit of that size, where it has one.
fn named(known: &[(&str, f64)], size: f64) -> Option<String> {
    let found = known.iter().find(|(_, own)| (size / own - 1.0).abs() < 1e-9);
    found.map(|(name, _)| name.to_string())
}

/// `words` with the unit behind, where the units are known.
pub fn axis_label(words: &str, dimension: Dimension, units: Option<&Units>) -> String {
    match units {
        Some(units) if dimension != Dimension::Count => {
            format!("{words} [{}]", units.of(dimension))
        }
        Some(_) | None => words.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_units_that_is_not_complete_is_told() {
        assert_eq!(Units::missing("mm"), ["time", "mass"]);
        assert_eq!(Units::missing("m, s"), ["mass"]);
        assert_eq!(Units::missing("MPa"), ["length", "time", "mass"]);
        for whole in ["mm, ms, g", "N, mm, s", "dimensionless", "any", "in, s, lb", "m, s, kg, K"] {
            assert_eq!(Units::missing(whole), [""; 0], "{whole}");
        }
    }

    #[test]
    fn units_of_cases_become_units_of_axes() {
        let of = |text: &str, dimension| Units::parse(text).map(|units| units.of(dimension));
        assert_eq!(of("mm, ms, g", Dimension::Energy).as_deref(), Some("N·mm"));
        assert_eq!(of("mm, ms, g", Dimension::Impulse).as_deref(), Some("N·ms"));
        assert_eq!(of("m, s, kg", Dimension::Energy).as_deref(), Some("J"));
        assert_eq!(of("cm, s, g", Dimension::Energy).as_deref(), Some("g·cm²/s²"));
        assert_eq!(of("kg,mm,ms", Dimension::Impulse).as_deref(), Some("kN·ms"));
        assert_eq!(of("mm, ms, g", Dimension::Force).as_deref(), Some("N"));
        assert_eq!(of("mm, ms, g", Dimension::Pressure).as_deref(), Some("MPa"));
        assert_eq!(of("m, s, kg", Dimension::Pressure).as_deref(), Some("Pa"));
        assert_eq!(of("kg,mm,ms", Dimension::Pressure).as_deref(), Some("GPa"));
        assert_eq!(of("cm, s, g", Dimension::Pressure).as_deref(), Some("g/(cm·s²)"));
        assert_eq!(of("m, s, kg", Dimension::Spin).as_deref(), Some("rad/s"));
        for other in ["dimensionless", "", "m, s", "m, mm, s, kg", "m, s, kg, K"] {
            assert_eq!(Units::parse(other), None, "{other}");
        }
        assert_eq!(axis_label("time", Dimension::Time, None), "time");
        let units = Units::parse("m, s, kg");
        assert_eq!(axis_label("contacts", Dimension::Count, units.as_ref()), "contacts");
        assert_eq!(of("mm, ms, g", Dimension::Density).as_deref(), Some("g/mm³"));
    }
}
