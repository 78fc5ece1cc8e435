//! `delassus new` and `delassus demo`: cases that come with the program.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{Manner, print, quoted, run};
use crate::case::{Case, KeyTable, MeshSource, TABLES, schema};
use crate::error::Error;

/// A case of the repository, carried along.
struct Template {
    name: &'static str,
    about: &'static str,
    case: &'static str,
    mesh: Option<MeshFiles>,
    /// What to try: an option of `run` and what it shows.
    next: &'static [(&'static str, &'static str)],
}

/// A mesh, as the case names it.
struct MeshFiles {
    named: &'static str,
    geometry: &'static str,
    mesh: &'static [u8],
    dimension: usize,
}

/// The mesh of that name in `meshes/`.
macro_rules! mesh {
    ($name:literal, $dimension:literal) => {
        Some(MeshFiles {
            named: concat!("../meshes/", $name, ".msh"),
            geometry: include_str!(concat!("../../meshes/", $name, ".geo")),
            mesh: include_bytes!(concat!("../../meshes/", $name, ".msh")),
            dimension: $dimension,
        })
    };
}

const TEMPLATES: [Template; 4] = [
    Template {
        name: "sliding-block",
        about: "an elastic block pressed on a rigid floor and shaken",
        case: include_str!("../../cases/sliding_block.toml"),
        mesh: mesh!("sliding_block", 2),
        next: &[
            ("scheme.law=newton", "the classical law creates energy: see the verdict"),
            ("contact.floor.friction=0.2", "less friction, more slip"),
            ("scheme.step=1e-3", "ten times larger steps"),
        ],
    },
    Template {
        name: "impacting-bar",
        about: "an elastic bar that flies against a rigid wall and comes back",
        case: include_str!("../../cases/impacting_bar.toml"),
        mesh: mesh!("bar", 2),
        next: &[
            ("contact.floor.restitution=1", "elastic impacts, which conserve the energy"),
            ("scheme.theta=0.75", "numerical damping"),
            ("scheme.kind=newmark", "another scheme"),
        ],
    },
    Template {
        name: "3d-block",
        about: "a block in space, shaken along one axis and swayed along the other",
        case: include_str!("../../cases/block_on_plane_3d.toml"),
        mesh: mesh!("block_3d", 3),
        next: &[
            ("contact.floor.friction=0.2", "less friction, more slip"),
            ("scheme.law=newton", "the classical law"),
            ("scheme.end=2.0", "a longer run"),
        ],
    },
    Template {
        name: "stick",
        about: "a rigid rod that falls on one end, slides and rebounds; it needs no mesh",
        case: include_str!("../../cases/impacting_stick.toml"),
        mesh: None,
        next: &[
            ("scheme.law=newton", "the classical law creates energy: see the verdict"),
            ("body.stick.spin=2.0", "it turns as it falls"),
            ("contact.floor.friction=0.3", "more friction"),
        ],
    },
];

const SCHEMA: &str = "delassus.schema.json";

#[derive(Args)]
pub(super) struct NewArguments {
    /// Name of the case, and of the folder to make for it
    name: PathBuf,
    /// What to begin with
    #[arg(long, default_value = TEMPLATES[0].name, value_parser = PossibleValuesParser::new(TEMPLATES.map(|t| t.name)))]
    template: String,
}

#[derive(Args)]
pub(super) struct DemoArguments {
    /// Results folder
    #[arg(long, value_name = "DIR", default_value = "results/demo")]
    out: PathBuf,
    /// Set a key of the case, e.g. --set scheme.law=newton; repeatable
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

/// Runs the first template, from the program alone.
pub(super) fn demo(arguments: &DemoArguments) -> Result<(), Error> {
    let template = &TEMPLATES[0];
    let path = Path::new("sliding_block.toml");
    let read = |set: &[String]| Case::from_text(path, template.case.into(), set);
    let mut case = read(&arguments.set)?;
    // Another mesh that is set is on disk.
    if case.mesh == read(&[])?.mesh {
        let file = case.mesh_file().map(Path::to_path_buf);
        let built_in = template.mesh.as_ref().zip(file);
        case.mesh = built_in.map(|(files, file)| MeshSource::Bytes(file, files.mesh));
    }
    let manner = Manner { quiet: arguments.quiet, report: false, resume: false, to_go_on: None };
    let judged = run(&case, &arguments.out, &manner);
    if judged.is_ok() && !arguments.quiet {
        print(|out| {
            writeln!(out, "  next        delassus new my-block: a copy of this case to change")
        })?;
    }
    judged
}

/// Makes a folder with a case, its mesh and the schema; whole or not at all.
pub(super) fn make(arguments: &NewArguments) -> Result<(), Error> {
    let folder = &arguments.name;
    let usage =
        |message: &str| Error::Usage(format!("new {}: {message}", arguments.name.display()));
    let name = folder.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| !name.starts_with('.') && !name.contains(char::is_control));
    let name = name.ok_or_else(|| usage("it names no case; give a name such as my-block"))?;
    if folder.exists() {
        return Err(usage("it exists already; choose another name, or remove it first"));
    }
    let found = TEMPLATES.iter().find(|template| template.name == arguments.template);
    let template = found.ok_or_else(|| usage("there is no such template"))?;
    write_folder(folder, &files_of(template, name))?;
    print(|out| {
        writeln!(out, "{}: {}", folder.display(), template.about)?;
        let [folder, case] = [folder.display().to_string(), format!("{name}.toml")].map(quoted);
        writeln!(out, "  cd {folder} && delassus run {case}")?;
        writeln!(out, "  {name}.toml says what to change and what to look at")
    })
}

/// Names and contents.
fn files_of(template: &Template, name: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![(format!("{name}.toml"), case_of(template, name).into_bytes())];
    if let Some(mesh) = &template.mesh {
        files.push((format!("{name}.geo"), mesh.geometry.into()));
        files.push((format!("{name}.msh"), mesh.mesh.into()));
    }
    files.push((SCHEMA.into(), format!("{:#}\n", schema()).into_bytes()));
    files
}

/// Fills a hidden folder beside, then gives it its name.
fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Error> {
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(folder.file_name().unwrap_or_default());
    hidden.push(".part");
    let part = folder.with_file_name(hidden);
    let fill = || {
        std::fs::create_dir_all(&part)?;
        for (name, content) in files {
            std::fs::write(part.join(name), content)?;
        }
        std::fs::rename(&part, folder)
    };
    fill().map_err(|source| {
        let _ = std::fs::remove_dir_all(&part);
        Error::Write { path: folder.into(), source }
    })
}

/// The case of the template under its new name: how to use it, then its tables, each with what it is for.
fn case_of(template: &Template, name: &str) -> String {
    let mut text = header(template, name);
    let is_comment = |line: &&str| line.is_empty() || line.starts_with('#');
    let body: Vec<&str> = template.case.lines().skip_while(is_comment).collect();
    let mut explained: Vec<&str> = Vec::new();
    for paragraph in body.split(|line| line.is_empty()) {
        let table = paragraph.iter().find_map(|line| table_at(line));
        if let Some(table) = table.filter(|table| !explained.contains(&table.path)) {
            explained.push(table.path);
            let first = table.path.split('.').next().unwrap_or_default();
            let about = format!("[{}]: {};", table.path, table.meaning);
            text += &comment(&about, &format!("see delassus keys {first}"));
        }
        text += &(paragraph.join("\n") + "\n\n");
    }
    if let Some(mesh) = &template.mesh {
        let own = toml::Value::from(format!("{name}.msh")).to_string();
        text = text.replace(&format!("\"{}\"", mesh.named), &own);
    }
    text.trim_end().to_string() + "\n"
}

fn header(template: &Template, name: &str) -> String {
    let mut lines = vec![
        format!("#:schema ./{SCHEMA}"),
        "#".into(),
        format!("# {name}: {}.", template.about),
        "#".into(),
    ];
    let results = format!("results/{name}");
    let mut commands = vec![
        (format!("delassus run {name}.toml --dry-run"), "check it, and see what it will take"),
        (format!("delassus run {name}.toml"), "run it; the verdict stands at the end"),
        (format!("delassus report {results}"), "a page with plots and the moving mesh"),
        (format!("delassus verify {results}"), "the verdict again, from the files alone"),
        ("delassus keys contact".into(), "every key of a table"),
    ];
    if let Some(mesh) = &template.mesh {
        let gmsh = format!("gmsh -{} {name}.geo -o {name}.msh", mesh.dimension);
        commands.push((gmsh, "mesh it again, after a change of the .geo file"));
    }
    let mut list = |entries: Vec<(String, &str)>| {
        let width = entries.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        for (what, why) in entries {
            lines.push(format!("#     {what:<width$}   {why}"));
        }
        lines.push("#".into());
    };
    list(commands);
    let next = template.next.iter().map(|(set, why)| {
        (format!("delassus run {name}.toml --set {set} --out {results}-2"), *why)
    });
    list(next.collect());
    lines.push("# Every number is in the units stated below; none is converted.".into());
    lines.join("\n") + "\n\n"
}

/// The table whose header a line is.
fn table_at(line: &str) -> Option<&'static KeyTable> {
    let path = line.strip_prefix('[')?.split(']').next()?;
    let fits = |table: &&KeyTable| {
        let (own, given) = (table.path.split('.'), path.split('.'));
        own.clone().count() == given.clone().count()
            && own.zip(given).all(|(own, name)| own == "NAME" || own == name)
    };
    TABLES.iter().find(fits)
}

/// Columns of a comment.
const COLUMNS: usize = 96;

/// Words broken into lines, and a remedy at the end that is not broken.
fn comment(text: &str, remedy: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::from("#"));
    for part in text.split(' ').chain([remedy]) {
        if line.chars().count() + 1 + part.chars().count() > COLUMNS {
            lines += &(std::mem::replace(&mut line, "#".into()) + "\n");
        }
        line += &format!(" {part}");
    }
    lines + &line + "\n"
}
