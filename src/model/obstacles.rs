//! Obstacles of a case, made ready.

use super::groups::Groups;
use crate::case::{ObstacleCase, ShapeCase};
use crate::contact::obstacle::{Obstacle, Shape, Surface};
use crate::error::Error;
use crate::mesh::{MeshError, read_surface};

/// The obstacle of a contact, its surface read where it is in a file.
pub(super) fn obstacle(
    groups: &Groups,
    contact: &str,
    obstacle: &ObstacleCase,
) -> Result<Obstacle, Error> {
    let place = format!("contact.{contact}.obstacle");
    let shape = match &obstacle.shape {
        ShapeCase::Known(shape) => shape.clone(),
        ShapeCase::File { file, group, inside } => {
            let key = format!("{place}.file");
            let (points, triangles, tags) = read_surface(file, group.as_deref()).map_err(|error| match error {
                MeshError::Unreadable { path, source } => {
                    let message = format!(
                        "cannot read the surface '{}': {source}; the path is relative to the case file",
                        path.display()
                    );
                    groups.case.error_at(&key, message)
                }
                other => other.into(),
            })?;
            let crease = Surface::CREASE_ANGLE;
            let surface = Surface::new(&points, &triangles, crease, *inside);
            let surface = surface.map_err(|error| {
                let tag = error.triangle().and_then(|triangle| tags.get(triangle));
                let which = tag.map_or(String::new(), |tag| {
                    format!(" (that triangle is of element {tag} of the file)")
                });
                groups.case.error_at(&key, format!("{}: {error}{which}", file.display()))
            })?;
            Shape::Surface(Box::new(surface))
        }
    };
    let motion = obstacle.motion.clone();
    let obstacle = match groups.mesh.dimension {
        3 => Obstacle::in_space(shape, motion),
        _ => Obstacle::in_plane(shape, motion),
    };
    obstacle.map_err(|error| groups.case.error_at(&place, error.to_string()))
}
