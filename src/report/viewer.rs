//! The interactive view of a run: its frames and a script that draws them, as a part of a page.
//!
//! The page needs nothing else: no network, no library, no graphics card. Triangles are filled by the
//! script into a picture with a depth per pixel, so that the view is the same in every browser.

mod block;
mod pack;
mod pushes;
mod scenery;
mod shown;
mod surface;

use std::fmt::Write;
use std::path::Path;

use crate::error::Error;
use crate::results::Frames;
use crate::units::{Dimension, Units};
use pack::{Header, Package};
use pushes::Pushes;
use scenery::Scenery;

/// The style of all views; once per page.
pub const STYLE: &str = include_str!("viewer/view.css");

/// Bytes of text that the frames of one view take.
pub const BUDGET: usize = 6_000_000;

/// A mesh that takes more than so many budgets with two frames is not shown.
const LIMIT: usize = 4;

/// Obstacles that take more than one in so many parts of the budget are not shown.
const MOST_SCENERY: usize = 2;

/// What is shown.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The results folder.
    pub folder: &'a Path,
    /// Its units, where they are known.
    pub units: Option<&'a Units>,
    /// Step size.
    pub step: f64,
    /// Its name.
    pub title: &'a str,
}

/// The script of all views; once per page, after the last of them.
pub fn script() -> String {
    let files = [
        include_str!("viewer/colours.js"),
        include_str!("viewer/data.js"),
        include_str!("viewer/raster.js"),
        include_str!("viewer/camera.js"),
        include_str!("viewer/overlay.js"),
        include_str!("viewer/scenery.js"),
        include_str!("viewer/pushes.js"),
        include_str!("viewer/view.js"),
        include_str!("viewer/hands.js"),
    ];
    format!("<script>\n\"use strict\";\n(() => {{\n{}}})();\n</script>\n", files.join("\n"))
}

/// The view of a run, with ids that begin with `id`; none where the run wrote no frames.
///
/// # Errors
/// Frames that cannot be read.
pub fn section(subject: &Subject, id: &str, budget: usize) -> Result<Option<String>, Error> {
    let read = |name: &str| match subject.folder.join(name).exists() {
        true => Frames::read(subject.folder, name).map(Some),
        false => Ok(None),
    };
    let Some(mut frames) = read("fields.pvd")?.filter(|frames| !frames.is_empty()) else {
        return Ok(None);
    };
    let beside = read("obstacles.pvd")?.filter(|frames| !frames.is_empty());
    let scenery = match beside {
        Some(beside) => {
            frames = frames.up_to(beside.len());
            Some(Scenery::read(beside)?)
        }
        None => None,
    };
    let share = budget / MOST_SCENERY;
    let shown = scenery.as_ref().filter(|scenery| scenery.text(frames.len()) <= share);
    let pushes = match read("contacts.pvd")?.filter(|points| !points.is_empty()) {
        Some(points) => {
            frames = frames.up_to(points.len());
            Pushes::read(points)?
        }
        None => None,
    };
    let beside = (shown, pushes.as_ref());
    let Some(package) = Package::choose(&frames, beside, (budget, LIMIT * budget))? else {
        return Ok(Some(too_large(id)));
    };
    let unit = |dimension: Dimension| subject.units.map_or(String::new(), |u| u.of(dimension));
    let (header, block) = package.pack(subject.step, unit)?;
    let (header, data) = (document(&header, subject), block.base64());
    let left_out = scenery.is_some() && shown.is_none();
    Ok(Some(markup(id, &note(&frames, &package, left_out), &header, &data)))
}

/// What the script reads, as JSON that cannot end its element.
fn document(header: &Header, subject: &Subject) -> String {
    let unit = |dimension: Dimension| subject.units.map_or(String::new(), |u| u.of(dimension));
    let document = serde_json::json!({
        "title": subject.title,
        "length": unit(Dimension::Length),
        "time": unit(Dimension::Time),
        "force": unit(Dimension::Force),
        "data": header,
    });
    document.to_string().replace('<', "\\u003c")
}

/// What the page leaves out, and how exact it is.
fn note(frames: &Frames, package: &Package, left_out: bool) -> String {
    let (points, triangles) = package.sizes();
    let (kept, all) = (package.kept(), frames.len());
    let mut note = if kept < all {
        format!("{kept} of the {all} frames in fields.pvd, evenly, so that the page stays small")
    } else {
        format!("all {all} frames of fields.pvd")
    };
    let what = if package.in_space() { "the surface: " } else { "" };
    let _ = write!(
        note,
        "; {what}{points} points, {triangles} triangles; every value is within 1/131070 of its \
         field's range over these frames."
    );
    note.push_str(&package.pushes_left_out());
    if left_out {
        note.push_str(
            " The obstacles have too many triangles for the page; obstacles.pvd has them.",
        );
    }
    note
}

fn too_large(id: &str) -> String {
    format!(
        "<section class=\"view\" id=\"{id}\"><p>The mesh is too large for a view in this page; open \
         fields.pvd in ParaView.</p></section>\n"
    )
}

fn markup(id: &str, note: &str, header: &str, data: &str) -> String {
    include_str!("viewer/view.html")
        .replace("{{id}}", id)
        .replace("{{note}}", note)
        .replace("{{header}}", header)
        .replace("{{data}}", data)
}
