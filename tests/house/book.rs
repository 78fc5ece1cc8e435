//! The book: what its pages command, show, link and list is so.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::pairs::BOXES_IN_SPACE;
use crate::support::{Folder, repository, stderr, stdout};

/// Every page, by its path below `docs/src`.
fn pages() -> BTreeMap<String, String> {
    let root = repository("docs/src");
    let markdown = files(&root).into_iter().filter(|file| file.ends_with(".md"));
    let read = |file: String| (file.clone(), std::fs::read_to_string(root.join(file)).unwrap());
    markdown.map(read).collect()
}

/// Every file below a folder, relative to it.
fn files(root: &Path) -> BTreeSet<String> {
    let (mut open, mut found) = (vec![root.to_path_buf()], BTreeSet::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found
}

/// A fenced block: the line before it, its language, its text.
struct Block {
    before: String,
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut open, mut before) = (Vec::<Block>::new(), false, String::new());
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            if !open {
                let (before, language) = (before.clone(), language.to_string());
                found.push(Block { before, language, text: String::new() });
            }
            open = !open;
        } else if open {
            let text = &mut found.last_mut().unwrap().text;
            text.push_str(line);
            text.push('\n');
        }
        before = line.to_string();
    }
    assert!(!open, "a block of the page does not end");
    found
}

/// The text of a page without its blocks.
fn prose(page: &str) -> String {
    let mut open = false;
    let outside = |line: &&str| {
        let fence = line.starts_with("```");
        open ^= fence;
        !open && !fence
    };
    page.lines().filter(outside).collect::<Vec<_>>().join("\n")
}

/// Targets of the links and pictures of a page.
fn targets(page: &str) -> Vec<String> {
    let prose = prose(page);
    let rest = prose.split("](").skip(1);
    rest.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_string()).collect()
}

/// The anchors that mdBook gives to the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let words = headings.map(|line| line.trim_start_matches('#').trim().replace('`', ""));
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '_' | '-' => Some(c),
        _ if c.is_alphanumeric() => c.to_lowercase().next(),
        _ => None,
    };
    words.map(|heading| heading.chars().filter_map(kept).collect()).collect()
}

#[test]
fn summary_lists_every_page_once() {
    let mut pages = pages();
    let summary = pages.remove("SUMMARY.md").unwrap();
    let listed = targets(&summary);
    let distinct: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(listed.len(), distinct.len(), "a page is listed twice");
    assert_eq!(distinct, pages.keys().collect::<BTreeSet<_>>());
}

#[test]
fn links_lead_somewhere_and_every_picture_is_shown() {
    let (pages, root) = (pages(), repository("docs/src"));
    let mut shown = BTreeSet::new();
    for (name, page) in &pages {
        for target in targets(page).iter().filter(|target| !target.starts_with("http")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(name).parent().unwrap();
            let path = if file.is_empty() { PathBuf::from(name) } else { folder.join(file) };
            let path = plain(&path);
            assert!(root.join(&path).is_file(), "{name}: there is no {target}");
            if !anchor.is_empty() {
                let known = anchors(&pages[&path]);
                assert!(known.iter().any(|a| a == anchor), "{name}: no heading for {target}");
            }
            shown.insert(path);
        }
    }
    let is_picture = |file: &&String| file.ends_with(".png") || file.ends_with(".svg");
    let all = files(&root);
    for picture in all.iter().filter(is_picture) {
        assert!(shown.contains(picture), "{picture} is shown nowhere");
        let size = std::fs::metadata(root.join(picture)).unwrap().len();
        assert!(size < 300_000, "{picture} has {size} bytes");
    }
}

/// A path without `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part.as_os_str().to_string_lossy().as_ref() {
            ".." => drop(parts.pop()),
            part => parts.push(part.into()),
        }
    }
    parts.join("/")
}

/// Files of the repository that pages name, and tests that they say hold something.
#[test]
fn files_and_tests_named_in_the_book_are_there() {
    let sources = ["src", "tests"].map(|root| {
        let root = repository(root);
        let rust = files(&root).into_iter().filter(|file| file.ends_with(".rs"));
        rust.map(|file| std::fs::read_to_string(root.join(file)).unwrap()).collect::<String>()
    });
    let mut named = 0;
    for (name, page) in pages() {
        for word in prose(&page).split('`').skip(1).step_by(2) {
            let is_path = ["src/", "tests/", "cases/", "docs/", "benches/", ".ci/", "paraview/"]
                .iter()
                .any(|root| word.starts_with(root));
            if is_path && !word.contains(' ') && !word.contains('*') {
                assert!(repository(word).exists(), "{name}: there is no {word}");
                named += 1;
            }
            let is_word = word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            if is_word && word.matches('_').count() >= 4 {
                let definition = format!("fn {word}(");
                let known = sources.iter().any(|source| source.contains(&definition));
                assert!(known, "{name}: there is no test {word}");
                named += 1;
            }
        }
    }
    assert!(named > 30, "only {named} files and tests are named");
}

/// A folder with the cases and meshes of the repository, as the studies want it.
fn clone_of_the_repository() -> Folder {
    Folder::with_clones_of(&["cases", "meshes"])
}

/// The mesh of the tutorial: made by Gmsh where it is installed. The numbers that the page shows are those
/// of the one that is kept, since versions of Gmsh differ.
fn mesh_the_tutorial(folder: &Folder, line: &str) {
    let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
    let mut gmsh = Command::new("gmsh");
    match gmsh.args(&arguments).current_dir(folder.path("")).output() {
        Ok(output) => {
            assert!(output.status.success(), "{line}: {}", stdout(&output));
            let met = stdout(&folder.delassus(&["mesh", "block.msh"]));
            for group in ["block: dimension 2", "sole: dimension 1", "top: dimension 1"] {
                assert!(met.contains(group), "{met}");
            }
        }
        Err(error) => println!("SKIPPED '{line}': {error}"),
    }
    std::fs::copy(repository("tests/data/tutorial_block.msh"), folder.path("block.msh")).unwrap();
}

/// Runs a line of a page; `# exit N` behind it says how it ends.
fn run_line(folder: &Folder, page: &str, line: &str) -> String {
    let (command, comment) = line.split_once('#').unwrap_or((line, ""));
    let expected = comment.trim().strip_prefix("exit ").map_or(0, |code| code.parse().unwrap());
    let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = folder.delassus(&arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(expected), "{page}: {line}: {said}");
    stdout(&output)
}

/// Does what a page says, block by block: files are written, commands run. What the commands printed.
fn follow(page: &str, folder: &Folder) -> BTreeMap<String, String> {
    let mut printed = BTreeMap::new();
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    for block in blocks(&pages()[page]) {
        let file = block.before.strip_prefix("<!-- file ").and_then(|f| f.strip_suffix(" -->"));
        if let Some(file) = file {
            let text = written.entry(file.into()).or_default();
            text.push_str(&block.text);
            text.push('\n');
            folder.write(file, text);
        }
        for line in block.text.lines().filter(|_| block.language == "sh") {
            if line.starts_with("gmsh ") {
                mesh_the_tutorial(folder, line);
            } else if line.starts_with("delassus ") {
                printed.insert(line.to_string(), run_line(folder, page, line));
            }
        }
    }
    printed
}

#[test]
fn the_tutorial_does_what_it_says() {
    let folder = Folder::new();
    let printed = follow("tutorial.md", &folder);
    assert!(printed.len() > 10, "the tutorial has only {} commands", printed.len());
    let blocks = blocks(&pages()["tutorial.md"]);
    let beginning = |begin: &str| {
        let found = blocks.iter().find(|block| block.text.starts_with(begin));
        found.unwrap_or_else(|| panic!("no block begins with '{begin}'"))
    };
    // What is rounding may differ.
    let is_rounding = |line: &&str| {
        ["balance", "verdict", "contact "].iter().any(|w| line.trim_start().starts_with(w))
    };
    for (begin, command) in
        [("block.msh", "delassus mesh block.msh"), ("A block dropped", "delassus run drop.toml")]
    {
        for line in beginning(begin).text.lines().filter(|line| !is_rounding(line)) {
            assert!(printed[command].contains(line), "shown\n{line}\nbut\n{}", printed[command]);
        }
    }
    let run = &printed["delassus run drop.toml"];
    assert!(run.contains("verdict     dissipative: no contact created energy at any step"));
}

#[test]
fn the_study_of_the_sliding_block_does_what_it_says() {
    follow("studies/sliding_block.md", &clone_of_the_repository());
}

#[test]
fn the_study_of_the_impacting_bar_does_what_it_says() {
    follow("studies/impacting_bar.md", &clone_of_the_repository());
}

#[test]
fn the_study_of_the_wall_does_what_it_says() {
    follow("studies/wall.md", &Folder::with_clones_of(&["cases", "cases/rockwall"]));
}

#[test]
fn the_page_of_masonry_does_what_it_says() {
    let printed = follow("masonry.md", &clone_of_the_repository());
    let run = &printed["delassus run wall.toml"];
    assert!(run.contains("verdict     dissipative"), "{run}");
}

/// Every command of every page: its verb and its options are those of the program.
#[test]
fn commands_of_all_pages_are_known_to_the_program() {
    let folder = Folder::new();
    let mut help: BTreeMap<String, String> = BTreeMap::new();
    for (name, page) in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "sh") {
            let commands = block.text.lines().filter(|line| line.starts_with("delassus "));
            for line in commands.map(|line| line.split('#').next().unwrap()) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let verb = words[1];
                let known = help.entry(verb.into()).or_insert_with(|| {
                    let ask =
                        if verb.starts_with("--") { vec!["--help"] } else { vec![verb, "--help"] };
                    let output = folder.delassus(&ask);
                    assert!(output.status.success(), "{name}: {line}: {}", stderr(&output));
                    stdout(&output)
                });
                for option in words.iter().filter(|word| word.starts_with("--")) {
                    assert!(known.contains(option), "{name}: {line}: no option {option}");
                }
            }
        }
    }
    assert!(help.len() >= 6, "pages use only {:?}", help.keys());
}

/// The paths of a TOML table's values.
fn paths(value: &toml::Value, at: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) if !table.is_empty() => {
            for (key, value) in table {
                let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                paths(value, &at, found);
            }
        }
        // A block of comments has no keys.
        _ if at.is_empty() => {}
        _ => found.push(at.into()),
    }
}

/// The keys that `delassus keys` lists, with those of the time functions apart.
fn known_keys() -> (Vec<String>, Vec<String>) {
    let listed = stdout(&Folder::new().delassus(&["keys"]));
    let keys = listed.lines().filter(|line| !line.starts_with(' ') && line.trim() == *line);
    let keys = keys.filter(|line| !line.is_empty() && !line.contains(' ')).map(String::from);
    keys.partition(|key: &String| !key.starts_with("time."))
}

#[test]
fn every_key_of_a_case_shown_is_one() {
    let (keys, times) = known_keys();
    assert!(keys.len() > 80 && times.len() > 5, "{} {}", keys.len(), times.len());
    let is_key = |path: &str| {
        let segments: Vec<&str> = path.split('.').collect();
        keys.iter().any(|key| {
            let key: Vec<&str> = key.split('.').collect();
            let same = |(k, s): (&&str, &&str)| *k == "NAME" || k == s;
            let begins = segments.len() >= key.len() && key.iter().zip(&segments).all(same);
            let rest = &segments[key.len().min(segments.len())..];
            let timed = key.last() == Some(&"time")
                && rest.len() == 1
                && times.iter().any(|time| time.strip_prefix("time.") == Some(rest[0]));
            begins && (rest.is_empty() || timed)
        })
    };
    let mut count = 0;
    for (name, page) in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "toml") {
            let table: toml::Table = block
                .text
                .parse()
                .unwrap_or_else(|error| panic!("{name}: {error}\n{}", block.text));
            let mut found = Vec::new();
            paths(&toml::Value::Table(table), "", &mut found);
            for path in &found {
                assert!(is_key(path), "{name}: '{path}' is no key of a case");
            }
            count += found.len();
        }
    }
    assert!(count > 50, "pages show only {count} keys");
}

/// Names in the first column of the table under a heading of the output reference.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = &pages()["reference/output.md"];
    let section = page.split_once(&format!("\n## {heading}\n")).expect("the heading is there").1;
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let first = rows.map(|row| row.split('|').nth(1).unwrap().to_string());
    first
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>())
        .collect()
}

/// Runs that between them leave every name: all schemes, plane and space, mesh and bodies.
fn runs() -> Folder {
    let folder = Folder::new();
    let bar = ["impacting_bar_1d", "scheme.end=0.6", "scheme.step=8e-4"];
    let kinds = [
        "moreau-jean",
        "newmark",
        "hht",
        "generalised-alpha",
        "schatzman-paoli",
        "central-difference",
        "plain-newmark",
    ];
    let space =
        ["bar_impact_3d", "scheme.end=2e-6", "output.fields_every=5", "probe.end.group=contact"];
    let plane =
        ["sliding_block", "scheme.end=1e-3", "output.fields_every=5", "probe.sole.group=contact"];
    let rigid = ["impacting_stick", "scheme.end=0.01"];
    let run = |case: &[&str], kind: Option<&str>| {
        let path = repository(&format!("cases/{}.toml", case[0]));
        let out = kind.unwrap_or(case[0]);
        let mut arguments =
            vec!["run".into(), path.to_string_lossy().into_owned(), "--quiet".into()];
        arguments.extend(["--out".into(), out.to_string()]);
        let kind = kind.map(|kind| format!("scheme.kind={kind}"));
        for set in case[1..].iter().map(|set| set.to_string()).chain(kind) {
            arguments.extend(["--set".into(), set]);
        }
        let output = folder.delassus(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    };
    folder.write("boxes.toml", BOXES_IN_SPACE);
    let output = folder.delassus(&["run", "boxes.toml", "--quiet", "--out", "boxes"]);
    assert!(output.status.success(), "{}", stderr(&output));
    kinds.iter().for_each(|kind| run(&bar, Some(kind)));
    [&space[..], &plane, &rigid].iter().for_each(|case| run(case, None));
    folder
}

/// Lists of things with keys of their own, which may be empty.
const LISTS: [&str; 5] = [
    "scheme.contacts",
    "solver.shares",
    "case.materials",
    "certificate.contacts",
    "departures.bodies",
];

fn keys_of(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                keys_of(value, &at, found);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().for_each(|item| keys_of(item, &format!("{at}[]"), found));
        }
        Value::Array(_) if LISTS.contains(&at) => {}
        _ => drop(found.insert(at.into())),
    }
}

/// Names of the arrays of a frame, without those of its geometry.
fn arrays(path: &Path) -> BTreeSet<String> {
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let header = text.split("<AppendedData").next().unwrap();
    let names = header.split(" Name=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let geometry = ["Points", "connectivity", "offsets", "types"];
    names.filter(|name| !geometry.contains(name)).map(String::from).collect()
}

#[test]
fn the_output_reference_lists_what_runs_write_and_no_more() {
    let folder = runs();
    let header = |file: &str| {
        let text = folder.read(file);
        let line = text.lines().next().unwrap().to_string();
        line.split(',').map(String::from).collect::<BTreeSet<_>>()
    };
    let history = header("sliding_block/history.csv");
    assert_eq!(history, delassus::output::history_columns().map(String::from).collect());
    assert_eq!(listed("history.csv"), history);

    let tables = ["sliding_block", "bar_impact_3d", "impacting_stick"];
    let mut contacts = BTreeSet::new();
    tables.iter().for_each(|run| contacts.extend(header(&format!("{run}/contacts.csv"))));
    assert_eq!(listed("contacts.csv"), contacts);
    assert_eq!(listed("pairs.csv"), header("boxes/pairs.csv"));
    assert_eq!(listed("bodies.csv"), header("sliding_block/bodies.csv"));

    let mut trajectory = BTreeSet::new();
    for run in tables.into_iter().chain(["boxes"]) {
        let columns = header(&format!("{run}/trajectory.csv"));
        let named = columns.iter().filter_map(|column| column.rsplit_once('.'));
        trajectory.extend(named.map(|(_, quantity)| quantity.to_string()));
    }
    assert_eq!(listed("trajectory.csv"), trajectory);

    let series = [("fields", "fields"), ("contact points", "contacts"), ("obstacles", "obstacles")];
    for (heading, frames) in series {
        let runs = [("sliding_block", "step_00.vtu"), ("boxes", "step_50.vtu")];
        let paths = runs.map(|(run, frame)| folder.path(&format!("{run}/{frames}/{frame}")));
        let there = paths.iter().filter(|path| path.exists());
        let arrays: BTreeSet<String> = there.flat_map(|path| arrays(path)).collect();
        assert_eq!(listed(heading), arrays, "{heading}");
    }

    let runs = ["sliding_block", "boxes"].map(|run| folder.path(run)).into_iter();
    let left = runs.flat_map(|run| std::fs::read_dir(run).unwrap()).map(|entry| entry.unwrap());
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() { name + "/" } else { name }
    };
    assert_eq!(listed("Files"), left.map(name).collect());

    let mut keys = BTreeSet::new();
    for entry in std::fs::read_dir(folder.path("")).unwrap() {
        let path = entry.unwrap().path().join("summary.json");
        if !path.exists() {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        keys_of(&serde_json::from_str(&text).unwrap(), "", &mut keys);
    }
    assert_eq!(listed("summary.json"), keys);
}
