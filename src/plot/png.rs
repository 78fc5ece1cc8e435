//! A figure as dots.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Dots per inch of a PNG figure; its SVG counts 96.
const DOTS_PER_INCH: f32 = 300.0;

/// The one font there is: the machine's own fonts are not asked, so that figures are the same on all.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// Why a figure has no PNG.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the figure cannot be turned into a PNG: {0}; write it as SVG")]
pub struct NotDrawn(String);

/// The PNG of an SVG figure, at 300 dots per inch.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, NotDrawn> {
    let complain = |error: String| NotDrawn(error);
    let options = Options { fontdb: FONTS.clone(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| complain(error.to_string()))?;
    let scale = DOTS_PER_INCH / 96.0;
    let [width, height] = [tree.size().width(), tree.size().height()];
    let dots = |length: f32| (length * scale).round() as u32;
    let mut pixmap = Pixmap::new(dots(width), dots(height))
        .ok_or_else(|| complain(format!("{width} × {height} is no size")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| complain(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Axis labels are made of these; one without a glyph would be an empty box.
    #[test]
    fn the_font_has_every_letter_of_axis_labels() {
        let drawn = |letter: char| {
            let head = r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="sans-serif">"#;
            png(&format!(r#"{head}<text x="10" y="30">{letter}</text></svg>"#)).unwrap()
        };
        let (nothing, unknown) = (drawn(' '), drawn('\u{e123}'));
        for letter in "θμστβγΔΣ²³·⁻⁰¹⁴⁵⁶⁷⁸⁹µ×−–’éö≤|".chars()
        {
            let letter_drawn = drawn(letter);
            assert!(letter_drawn != nothing && letter_drawn != unknown, "no glyph for {letter}");
        }
    }

    #[test]
    fn an_inch_has_three_hundred_dots_and_what_is_no_svg_is_an_error() {
        let bytes =
            png(r#"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"/>"#).unwrap();
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(
            [&bytes[16..20], &bytes[20..24]],
            [&300u32.to_be_bytes(), &150u32.to_be_bytes()]
        );
        assert!(png("<svg").unwrap_err().to_string().ends_with("write it as SVG"));
    }
}
