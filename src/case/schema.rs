//! The JSON Schema of a case file, made of the table of keys: editors complete and check with it.

use serde_json::{Map, Value, json};

use super::keys::{Key, TABLES, TIME_KEYS, keys};
use super::kind::{Bounds, KeyKind, Limit, Many};

/// The schema, draft 2020-12.
pub fn schema() -> Value {
    let mut root = object("", &keys().collect::<Vec<_>>());
    let time = object("time", &TIME_KEYS.iter().collect::<Vec<_>>());
    let Value::Object(fields) = &mut root else { return root };
    fields.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    fields.insert("title".into(), "case file of delassus".into());
    let about = "TOML; every number is in the units that the case states once";
    fields.insert("description".into(), about.into());
    fields.insert("$defs".into(), json!({ "time": time }));
    root
}

/// The table at a dotted path, whose keys are among those given.
fn object(path: &str, keys: &[&Key]) -> Value {
    let below = |key: &&&Key| rest_of(path, key).is_some();
    let first = |key: &&Key| {
        let rest = rest_of(path, key).unwrap_or_default();
        rest.split('.').next().unwrap_or_default().to_string()
    };
    let mut names: Vec<String> = keys.iter().filter(below).map(first).collect();
    names.dedup();
    let inside = |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
    let described = |mut value: Value, path: &str| {
        if let Some(table) = TABLES.iter().find(|table| !path.is_empty() && table.path == path) {
            value["description"] = table.meaning.into();
        }
        value
    };
    if names == ["NAME"] {
        let named = object(&inside("NAME"), keys);
        return described(
            json!({ "type": "object", "additionalProperties": named }),
            &inside("NAME"),
        );
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for name in names {
        let path = inside(&name);
        let value = match keys.iter().find(|key| key.path == path) {
            Some(key) => {
                required.extend((key.default == "required").then(|| name.clone()));
                property(key)
            }
            None => {
                let is_required = TABLES.iter().any(|table| table.path == path && table.required);
                required.extend(is_required.then(|| name.clone()));
                object(&path, keys)
            }
        };
        properties.insert(name, value);
    }
    let mut object =
        json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        object["required"] = required.into();
    }
    described(object, path)
}

/// What of a key's path lies below a table.
fn rest_of<'k>(table: &str, key: &'k Key) -> Option<&'k str> {
    match table {
        "" => Some(key.path),
        _ => key.path.strip_prefix(table)?.strip_prefix('.'),
    }
}

/// What the value of a key may be.
fn property(key: &Key) -> Value {
    if key.kind == KeyKind::Time {
        return json!({ "$ref": "#/$defs/time", "description": key.meaning });
    }
    let mut value = type_of(key.kind);
    let unit = match key.unit {
        "" | "1" => String::new(),
        unit => format!(", {unit}"),
    };
    let about = format!("{} ({}{unit}; {})", key.meaning, key.kind, key.default_in_words());
    value["description"] = about.into();
    if let Some(default) = default_value(key) {
        value["default"] = default;
    }
    if let Some(example) = parsed(key.example) {
        value["examples"] = json!([example]);
    }
    value
}

fn type_of(kind: KeyKind) -> Value {
    match kind {
        KeyKind::Text | KeyKind::Path | KeyKind::Group(_) => json!({ "type": "string" }),
        KeyKind::Words(words) => json!({ "type": "string", "enum": words }),
        KeyKind::Flag => json!({ "type": "boolean" }),
        KeyKind::Count(least) => {
            json!({ "type": "integer", "minimum": least, "maximum": u32::MAX })
        }
        KeyKind::Number(bounds) => number(bounds),
        KeyKind::Numbers { many, positive, .. } => list(many, &number(lower_bound(positive))),
        KeyKind::Counts(many) => list(many, &type_of(KeyKind::Count(1))),
        KeyKind::OneOrThree { positive } => {
            let one = number(lower_bound(positive));
            json!({ "anyOf": [one, list(Many::Between(3, 3), &one)] })
        }
        KeyKind::Corners => {
            list(Many::AtLeast(3), &list(Many::Between(2, 3), &json!({ "type": "number" })))
        }
        KeyKind::Pieces => {
            let corner = list(Many::Between(3, 3), &json!({ "type": "number" }));
            list(Many::AtLeast(1), &list(Many::AtLeast(4), &corner))
        }
        KeyKind::Balls => {
            list(Many::AtLeast(1), &list(Many::Between(4, 4), &json!({ "type": "number" })))
        }
        KeyKind::Pair => list(Many::Between(2, 2), &json!({ "type": "string" })),
        KeyKind::Time => json!({ "$ref": "#/$defs/time" }),
    }
}

fn lower_bound(positive: bool) -> Bounds {
    let low = if positive { Limit::Without(0.0) } else { Limit::Free };
    Bounds(low, Limit::Free)
}

fn number(Bounds(low, high): Bounds) -> Value {
    let mut number = json!({ "type": "number" });
    match low {
        Limit::Free => {}
        Limit::Without(least) => number["exclusiveMinimum"] = least.into(),
        Limit::With(least) => number["minimum"] = least.into(),
    }
    match high {
        Limit::Free => {}
        Limit::Without(most) => number["exclusiveMaximum"] = most.into(),
        Limit::With(most) => number["maximum"] = most.into(),
    }
    number
}

fn list(many: Many, items: &Value) -> Value {
    match many {
        Many::Between(least, most) => {
            json!({ "type": "array", "items": items, "minItems": least, "maxItems": most })
        }
        Many::AtLeast(least) => json!({ "type": "array", "items": items, "minItems": least }),
        Many::Either(few, more) => json!({
            "type": "array",
            "items": items,
            "anyOf": [
                { "minItems": few, "maxItems": few },
                { "minItems": more, "maxItems": more },
            ],
        }),
    }
}

/// The default where it is a value, not words about one.
fn default_value(key: &Key) -> Option<Value> {
    match key.kind {
        KeyKind::Words(words) => words.contains(&key.default).then(|| key.default.into()),
        KeyKind::Flag | KeyKind::Number(_) | KeyKind::Count(_) => parsed(key.default),
        _ => None,
    }
}

/// A value written as TOML.
fn parsed(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(&format!("value = {text}")).ok()?;
    serde_json::to_value(table.get("value")?).ok()
}
