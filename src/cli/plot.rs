//! `delassus plot` and `delassus report`: results as figures and as a page.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{print, tell};
use crate::case::did_you_mean;
use crate::error::Error;
use crate::figures::{self, Drawing, DrawnRun, Lack};
use crate::output::write_whole;
use crate::plot::Figure;
use crate::report;
use crate::results::Results;

#[derive(Args)]
pub(super) struct PlotArguments {
    /// Results folders of runs; several are drawn into one figure per quantity
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Figures, with commas, as energy,pressure [default: all that the run has]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    what: Vec<String>,
    /// Time of figures that show one, as forces [default: the last with a force]
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<f64>,
    /// File format
    #[arg(long, value_enum, default_value_t = FigureFormat::Svg)]
    format: FigureFormat,
    /// Folder of the figures [default: DIR/figures, or results/figures for several runs]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Width of every figure in millimetres, as 85 for a column of a journal; letters keep their size
    #[arg(long, value_name = "MM", value_parser = width)]
    width: Option<f64>,
    /// Leave out the title above each figure
    #[arg(long)]
    no_title: bool,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FigureFormat {
    /// Lines, sharp at any size
    Svg,
    /// Dots, 300 per inch
    Png,
    /// Both
    Both,
}

#[derive(Args)]
pub(super) struct ReportArguments {
    /// Results folders of runs; several are compared
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The page [default: DIR/report.html, or results/report.html for several runs]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

fn width(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give a number of millimetres".to_string())?;
    let sensible = (40.0..=1000.0).contains(&number);
    if sensible { Ok(number) } else { Err("give 40 to 1000 millimetres".into()) }
}

fn time(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give a time of the run".to_string())?;
    if number.is_finite() { Ok(number) } else { Err("give a finite time".into()) }
}

pub(super) fn plot(arguments: &PlotArguments) -> Result<(), Error> {
    let runs = read_all(&arguments.folders)?;
    tell_unfinished(&runs, arguments.quiet);
    let several = runs.len() > 1;
    let known = if several { figures::quantities::names().collect() } else { figures::names() };
    check_names(&arguments.what, &known)?;
    let (drawn, lacking) = match &runs[..] {
        [run] => draw_one(run, &arguments.what, arguments.at)?,
        many => draw_several(many, &arguments.what)?,
    };
    let default = match &arguments.folders[..] {
        [folder] => folder.join("figures"),
        _ => PathBuf::from("results/figures"),
    };
    let out = arguments.out.clone().unwrap_or(default);
    let complain = |source| Error::OutputFolder { path: out.clone(), source };
    std::fs::create_dir_all(&out).map_err(complain)?;
    let mut written = Vec::new();
    for drawing in &drawn {
        written.extend(write_figure(drawing, &out, arguments)?);
    }
    if arguments.quiet {
        return Ok(());
    }
    for (lack, names) in figures::by_lack(&lacking) {
        tell(&format!("note: not drawn: {names}; {lack}"));
    }
    print(|to| written.iter().try_for_each(|path| writeln!(to, "{}", path.display())))
}

/// The results folders, read; an error names the one that is none.
pub(super) fn read_all(folders: &[PathBuf]) -> Result<Vec<Results>, Error> {
    folders.iter().map(|folder| Results::read(folder)).collect()
}

/// Says which runs are drawn before their end.
fn tell_unfinished(runs: &[Results], quiet: bool) {
    for run in runs.iter().filter(|_| !quiet) {
        if let Some(unfinished) = &run.unfinished {
            tell(&format!("note: {}: {unfinished}", run.folder.display()));
        }
    }
}

fn check_names(names: &[String], known: &[&str]) -> Result<(), Error> {
    let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let hint = match did_you_mean(unknown, known.iter().copied()) {
        Some(near) => format!("did you mean '{near}'? "),
        None => String::new(),
    };
    Err(Error::Usage(format!(
        "--what {unknown}: there is no such figure; {hint}there are: {}",
        known.join(", ")
    )))
}

/// Figures and, of all that there may be, what the others lack.
type Drawn = (Vec<Drawing>, Vec<(&'static str, Lack)>);

/// All figures of a run, or those that are asked for: then one that it has not is an error.
fn draw_one(results: &Results, names: &[String], at: Option<f64>) -> Result<Drawn, Error> {
    let run = DrawnRun::new(results)?.at(at);
    if names.is_empty() {
        return run.draw_all();
    }
    let mut drawn = Vec::new();
    for name in names {
        let drawing = run.draw(name)?.map_err(|lack| lacks(&results.folder, name, lack))?;
        drawn.push(drawing);
    }
    Ok((drawn, Vec::new()))
}

fn draw_several(runs: &[Results], names: &[String]) -> Result<Drawn, Error> {
    let mut drawn = figures::overlays(runs);
    if names.is_empty() {
        return Ok((drawn, Vec::new()));
    }
    for name in names {
        if !drawn.iter().any(|drawing| drawing.name == name) {
            return Err(lacks(&runs[0].folder, name, Lack::Trajectory));
        }
    }
    drawn.retain(|drawing| names.iter().any(|name| name == drawing.name));
    Ok((drawn, Vec::new()))
}

fn lacks(folder: &Path, name: &str, lack: Lack) -> Error {
    Error::Results { path: folder.into(), message: format!("no figure '{name}': {lack}") }
}

/// Writes the files of a figure and tells their paths.
fn write_figure(
    drawing: &Drawing,
    out: &Path,
    arguments: &PlotArguments,
) -> Result<Vec<PathBuf>, Error> {
    let mut figure = drawing.figure.clone();
    if arguments.no_title {
        figure.title.clear();
    }
    let svg = match arguments.width {
        Some(millimetres) => figure.to_svg_of_width(millimetres),
        None => figure.to_svg(),
    };
    let mut written = Vec::new();
    let mut write = |ending: &str, bytes: &[u8]| -> Result<(), Error> {
        let path = out.join(format!("{}.{ending}", drawing.name));
        let outcome = write_whole(&path, |to| to.write_all(bytes));
        outcome.map_err(|source| Error::Write { path: path.clone(), source })?;
        written.push(path);
        Ok(())
    };
    if arguments.format != FigureFormat::Png {
        write("svg", svg.as_bytes())?;
    }
    if arguments.format != FigureFormat::Svg {
        let png = Figure::to_png(&svg).map_err(|error| Error::Write {
            path: out.join(format!("{}.png", drawing.name)),
            source: std::io::Error::other(error),
        })?;
        write("png", &png)?;
    }
    Ok(written)
}

pub(super) fn report(arguments: &ReportArguments) -> Result<(), Error> {
    let default = match &arguments.folders[..] {
        [folder] => folder.join("report.html"),
        _ => PathBuf::from("results/report.html"),
    };
    let out = arguments.out.clone().unwrap_or(default);
    let runs = read_all(&arguments.folders)?;
    tell_unfinished(&runs, arguments.quiet);
    write_page(&report::page(&runs)?, &out)?;
    if arguments.quiet {
        return Ok(());
    }
    print(|to| writeln!(to, "{}", out.display()))
}

/// Writes the page of results folders, whole or not at all.
pub(super) fn write_report(folders: &[PathBuf], out: &Path) -> Result<(), Error> {
    write_page(&report::page(&read_all(folders)?)?, out)
}

/// Writes a page, whole or not at all.
pub(super) fn write_page(page: &str, out: &Path) -> Result<(), Error> {
    if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let complain = |source| Error::OutputFolder { path: folder.into(), source };
        std::fs::create_dir_all(folder).map_err(complain)?;
    }
    let outcome = write_whole(out, |to| to.write_all(page.as_bytes()));
    outcome.map_err(|source| Error::Write { path: out.into(), source })
}
