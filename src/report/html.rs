//! Pieces of HTML. All text that comes from outside goes through [`escaped`].

use std::fmt::Write;

/// Text as it may stand between tags and in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A table of names and values under a heading; nothing where there is no row.
pub(super) fn facts(heading: &str, rows: &[(&str, String)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut html = format!("<div class=\"facts\"><h3>{}</h3><table>\n", escaped(heading));
    for (name, value) in rows {
        let _ = writeln!(html, "<tr><th>{}</th><td>{}</td></tr>", escaped(name), escaped(value));
    }
    html + "</table></div>\n"
}

/// A table with a head; the first column is text, the others are numbers.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cell = |tag: &str, text: &str| format!("<{tag}>{}</{tag}>", escaped(text));
    let head: String = head.iter().map(|text| cell("th", text)).collect();
    let row = |cells: &Vec<String>| {
        let cells: String = cells.iter().map(|text| cell("td", text)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table class=\"grid\"><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// Up to six digits, or an exponent where that would say too little or too much.
pub(super) fn number(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 {
        return "0".into();
    }
    if !(1e-3..1e7).contains(&size) {
        let text = format!("{x:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}e{power}").replace('-', "−");
    }
    let digits = (5 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{x:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

/// A number with its unit behind.
pub(super) fn with_unit(x: f64, unit: &str) -> String {
    if unit.is_empty() { number(x) } else { format!("{} {unit}", number(x)) }
}

/// Bytes in a unit that suits them.
pub(super) fn bytes(count: u64) -> String {
    match count as f64 {
        few if few < 1e6 => format!("{:.1} kB", few / 1e3),
        some if some < 1e9 => format!("{:.1} MB", some / 1e6),
        many => format!("{:.2} GB", many / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        let text = "</td><script>alert(\"1\" & '2')</script>\u{0}";
        let html = facts("x", &[("<b>", text.into())]);
        assert!(!html.contains("<script>") && !html.contains("<b>"), "{html}");
        assert!(html.contains("&lt;/td&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)"));
    }

    #[test]
    fn numbers_are_short_and_keep_their_sense() {
        let shown = [0.0, 0.0001, -711.5762845632604, 10000.0, 0.358, 1.17e-3, 5750.0].map(number);
        assert_eq!(shown, ["0", "1e−4", "−711.576", "10000", "0.358", "0.00117", "5750"]);
        assert_eq!((bytes(12_406_784), bytes(900)), ("12.4 MB".into(), "0.9 kB".into()));
    }
}
