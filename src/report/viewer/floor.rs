//! Flat obstacles at rest, from the text of a case: drawn as lines and planes.

use serde::Serialize;
use toml::{Table, Value};

/// A half-plane or half-space that does not move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Floor {
    /// A point of it.
    pub(super) point: [f64; 3],
    /// Out of it, towards the bodies.
    pub(super) normal: [f64; 3],
}

/// The flat obstacles at rest that a case names; none of a contact that `overrides` touch, and none of a
/// text that is not TOML.
pub(super) fn floors(case: &str, overrides: &[String]) -> Vec<Floor> {
    let Ok(case) = case.parse::<Table>() else { return Vec::new() };
    let contacts = case.get("contact").and_then(Value::as_table).into_iter().flatten();
    let kept = contacts.filter(|(name, _)| {
        let prefix = format!("contact.{name}.obstacle");
        !overrides.iter().any(|line| line.trim_start().starts_with(&prefix))
    });
    kept.filter_map(|(_, contact)| floor(contact.get("obstacle")?)).collect()
}

fn floor(obstacle: &Value) -> Option<Floor> {
    let flat = matches!(obstacle.get("kind")?.as_str()?, "half-plane" | "half-space");
    let still =
        obstacle.as_table()?.keys().all(|key| ["kind", "point", "normal"].contains(&&**key));
    let vector = |key: &str| {
        let given = obstacle.get(key)?.as_array()?;
        let mut vector = [0.0; 3];
        for (own, value) in vector.iter_mut().zip(given) {
            *own = value.as_float().or(value.as_integer().map(|whole| whole as f64))?;
        }
        Some(vector)
    };
    (flat && still).then_some(Floor { point: vector("point")?, normal: vector("normal")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = "
        [contact.floor]
        obstacle = { kind = 'half-plane', point = [0, 1.5], normal = [0.0, 1.0] }
        [contact.belt]
        obstacle = { kind = 'half-plane', point = [0.0, 0.0], normal = [0.0, 1.0], velocity = [1.0, 0.0] }
        [contact.ball]
        obstacle = { kind = 'sphere', point = [0.0, 0.0, 0.0], radius = 1.0 }
    ";

    #[test]
    fn flat_obstacles_at_rest_are_found_and_no_others() {
        let floor = Floor { point: [0.0, 1.5, 0.0], normal: [0.0, 1.0, 0.0] };
        assert_eq!(floors(CASE, &[]), [floor]);
        assert_eq!(floors(CASE, &["contact.floor.obstacle.point=[0.0, 2.0]".into()]), []);
        assert_eq!(floors(CASE, &["contact.floor.friction=0.1".into()]).len(), 1);
        assert_eq!(floors("no toml at all", &[]), []);
    }
}
