//! `delassus keys` and `delassus schema`: what a case file may hold.

use std::io::{Result, Write};

use clap::Args;

use super::print;
use crate::case::{Key, KeyTable, TABLES, TIME_KEYS, did_you_mean, keys, schema, table_of};
use crate::error::Error;

#[derive(Args)]
pub(super) struct KeysArguments {
    /// Only keys whose path or meaning holds this, as contact or time
    word: Option<String>,
    /// As a page of reference: tables of keys, types, units, defaults, examples
    #[arg(long)]
    markdown: bool,
}

pub(super) fn show(arguments: &KeysArguments) -> std::result::Result<(), Error> {
    let word = arguments.word.as_deref().unwrap_or_default();
    let holds = |key: &&Key| key.path.contains(word) || key.meaning.contains(word);
    let (own, time): (Vec<&Key>, Vec<&Key>) =
        (keys().filter(holds).collect(), TIME_KEYS.iter().filter(holds).collect());
    if own.is_empty() && time.is_empty() {
        return Err(unknown(word));
    }
    print(|out| match arguments.markdown {
        true => write_page(out, &own, &time),
        false => write_list(out, &own, &time),
    })
}

pub(super) fn show_schema() -> std::result::Result<(), Error> {
    print(|out| {
        serde_json::to_writer_pretty(&mut *out, &schema())?;
        writeln!(out)
    })
}

fn unknown(word: &str) -> Error {
    let parts = keys().flat_map(|key| key.path.split('.')).filter(|part| *part != "NAME");
    let hint = match did_you_mean(word, parts) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "leave the word out to see all".into(),
    };
    Error::Usage(format!("keys {word}: no key holds '{word}'; {hint}"))
}

fn write_list(out: &mut dyn Write, own: &[&Key], time: &[&Key]) -> Result<()> {
    own.iter().try_for_each(|key| write_key(out, key))?;
    if time.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}Every `time` table:", if own.is_empty() { "" } else { "\n" })?;
    time.iter().try_for_each(|key| write_key(out, key))
}

fn write_key(out: &mut dyn Write, key: &Key) -> Result<()> {
    let unit = match key.unit {
        "" | "1" => String::new(),
        unit => format!("; in {unit}"),
    };
    let (kind, default) = (key.kind, key.default_in_words());
    writeln!(out, "{}\n    {}; {kind}{unit}; {default}", key.path, key.meaning)
}

const PAGE: &str = "\
# The case file

A case is a TOML file. Everything there is several of is a named table: NAME stands for a name of your choice, which
messages and results use. Unknown keys are refused. Units are those that `units` states, once for the whole file;
they are written here as products of mass, length and time, and `1` is a pure number. `--set key.path=value` sets any
key from the command line.

This page is what `delassus keys --markdown` prints. `delassus schema` prints the same as a JSON Schema (draft
2020-12). To let an editor complete and check a case file (Even Better TOML and whatever else builds on taplo), save
it beside the case and name it in the first line:

```sh
delassus schema > delassus.schema.json
```

```toml
#:schema ./delassus.schema.json
```

`delassus new` does both.
";

/// The page of reference, a section for each table.
fn write_page(out: &mut dyn Write, own: &[&Key], time: &[&Key]) -> Result<()> {
    out.write_all(PAGE.as_bytes())?;
    for table in TABLES {
        let inside = |key: &&&Key| table_of(key).path == table.path;
        let keys: Vec<&Key> = own.iter().filter(inside).copied().collect();
        if !keys.is_empty() {
            write_section(out, &heading(table), table.meaning, &keys)?;
        }
    }
    if !time.is_empty() {
        let meaning = "a function of time that multiplies the value beside it, in every table that has the key `time`";
        write_section(out, "`time = { ... }`", meaning, time)?;
    }
    Ok(())
}

fn heading(table: &KeyTable) -> String {
    let required = if table.required { ", required" } else { "" };
    match table.path {
        "" => "At the top of the file".into(),
        path => format!("`[{path}]`{required}"),
    }
}

fn write_section(out: &mut dyn Write, heading: &str, meaning: &str, keys: &[&Key]) -> Result<()> {
    writeln!(out, "\n## {heading}\n\n{}.\n", capitalised(meaning))?;
    writeln!(
        out,
        "| key | takes | unit | default | meaning | example |\n|---|---|---|---|---|---|"
    )?;
    for key in keys {
        let name = key.path.rsplit('.').next().unwrap_or(key.path);
        let takes = key.kind.to_string().replace(" | ", " or ");
        let (unit, default, meaning) = (key.unit, key.default, key.meaning);
        let example = key.example;
        writeln!(
            out,
            "| `{name}` | {takes} | {unit} | {default} | {meaning} | `{name} = {example}` |"
        )?;
    }
    Ok(())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
