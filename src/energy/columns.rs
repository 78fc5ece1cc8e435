//! Numbers under their columns, read back.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// Reads a map that has a number under each of these columns, in any order; what else it has is passed over.
///
/// # Errors
///
/// Where one is missing, stands twice, or is no number.
pub fn read_under_columns<'de, D: Deserializer<'de>>(
    from: D,
    columns: impl Iterator<Item = &'static str>,
) -> Result<BTreeMap<&'static str, f64>, D::Error> {
    from.deserialize_map(Numbers { columns: columns.collect() })
}

struct Numbers {
    columns: Vec<&'static str>,
}

impl<'de> Visitor<'de> for Numbers {
    type Value = BTreeMap<&'static str, f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "numbers under {}", self.columns.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            let Some(column) = self.columns.iter().find(|column| **column == key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if found.insert(*column, map.next_value()?).is_some() {
                return Err(A::Error::duplicate_field(column));
            }
        }
        match self.columns.iter().find(|column| !found.contains_key(*column)) {
            Some(missing) => Err(A::Error::missing_field(missing)),
            None => Ok(found),
        }
    }
}
