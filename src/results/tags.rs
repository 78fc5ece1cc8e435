//! Tags of the XML that a run writes: names and attributes in double quotes, nothing between them.

/// `<name key="value" …>`, or `</name>` with the slash in its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute, without its escapes.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// The tags of `text` in their order.
///
/// # Errors
/// The byte at which it is no XML of ours.
pub(super) fn tags(text: &str) -> Result<Vec<Tag>, usize> {
    let (mut tags, mut rest) = (Vec::new(), text);
    let place = |rest: &str| text.len() - rest.len();
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let (body, after) = rest.split_once('>').ok_or(place(rest))?;
        tags.push(tag(body).ok_or(place(rest))?);
        rest = after;
    }
    Ok(tags)
}

/// `>` is escaped in values, so `body` ends where the tag does.
fn tag(body: &str) -> Option<Tag> {
    let body = body.trim_end_matches(['/', '?']).trim_end();
    let end = body.find(char::is_whitespace).unwrap_or(body.len());
    let (name, mut rest) = (body[..end].to_string(), body[end..].trim_start());
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        attributes.push((key.to_string(), unescape(value)));
        rest = after.trim_start();
    }
    Some(Tag { name, attributes })
}

fn unescape(text: &str) -> String {
    // & comes last: what it makes is not read again
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_attributes_are_read_without_their_escapes() {
        let found =
            tags("<?xml version=\"1.0\"?>\n<A b=\"1\" c=\"x &lt;&amp;lt; y\"/></A>").unwrap();
        assert_eq!(
            found.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>(),
            ["?xml", "A", "/A"]
        );
        assert_eq!(found[1].get("b"), Some("1"));
        assert_eq!(found[1].get("c"), Some("x <&lt; y"));
        assert_eq!(found[1].get("d"), None);
    }

    #[test]
    fn a_tag_without_an_end_or_with_a_torn_attribute_is_placed() {
        assert_eq!(tags("<A><B c=\"1\""), Err(4));
        assert_eq!(tags("<A><B c=1/>"), Err(4));
    }
}
