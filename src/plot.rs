//! Figures: plain data in, the text of an SVG picture or the bytes of a PNG out.
//!
//! ```
//! use delassus::plot::{Curve, Figure, CurveKind, Panel};
//!
//! let fall = Curve {
//!     label: "fall".into(),
//!     points: (0..100).map(|k| 0.01 * f64::from(k)).map(|t| [t, 5.0 - 4.905 * t * t]).collect(),
//!     kind: CurveKind::Line,
//! };
//! let panel = Panel {
//!     x_label: "time [s]".into(),
//!     y_label: "height [m]".into(),
//!     curves: vec![fall],
//!     ..Panel::default()
//! };
//! let figure = Figure { title: "A stone".into(), panels: vec![panel], columns: None };
//! assert!(figure.to_svg().ends_with("</svg>\n"));
//! ```

mod axis;
mod colour;
mod draw;
mod layout;
mod png;
mod raster;
mod trace;

pub use png::NotDrawn;

/// A picture of one or more panels in a grid, under one legend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Above everything; may be empty.
    pub title: String,
    /// Row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row, or as many as look well.
    pub columns: Option<usize>,
}

/// One pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Above it; may be empty.
    pub title: String,
    /// Under the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// Logarithmic horizontal axis: what is not positive is not drawn.
    pub log_x: bool,
    /// Logarithmic vertical axis: what is not positive is not drawn.
    pub log_y: bool,
    /// Whether a length is as long across as it is upwards.
    pub equal: bool,
    /// Later ones over earlier ones; where all are plain lines, flat ones over tall ones.
    pub curves: Vec<Curve>,
    /// Colours under the curves.
    pub raster: Option<Raster>,
}

/// Values over a grid of rectangles, shown as colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Edges of the columns, ascending: one more than there are columns.
    pub x: Vec<f64>,
    /// Edges of the rows, ascending: one more than there are rows.
    pub y: Vec<f64>,
    /// Row by row, a value per column; what is not finite is not painted.
    pub values: Vec<Vec<f64>>,
    /// What the values look like.
    pub colours: Colours,
}

/// What values look like.
#[derive(Clone, Debug, PartialEq)]
pub enum Colours {
    /// Value k is the k-th class; the legend names those that occur.
    Classes(Vec<Class>),
    /// White at zero, or at the lowest value where that is below, to dark at the highest; with a bar.
    Sequential {
        /// Beside the bar.
        label: String,
    },
    /// White at zero, one colour above and one below; with a bar.
    Diverging {
        /// Beside the bar.
        label: String,
    },
}

/// A name and its colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// In the legend.
    pub label: String,
    /// As SVG spells it.
    pub colour: &'static str,
}

/// Points joined by a line, or by nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// In the legend; curves of one label have one colour in all panels, one without is grey.
    pub label: String,
    /// What is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub kind: CurveKind,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveKind {
    /// A line.
    #[default]
    Line,
    /// Dashes.
    Dashed,
    /// Short dashes.
    Dotted,
    /// A line so many half pixels wide.
    Stroke(u8),
    /// A dot at each point.
    Points,
    /// A small dot at each point, for thousands of them.
    Specks,
}

impl Figure {
    /// The picture. Lines keep the lowest and highest point of every pixel column and clouds one dot
    /// per pixel, so that it stays small however many points there are.
    pub fn to_svg(&self) -> String {
        draw::svg(self, None)
    }

    /// The picture, so many millimetres wide: letters keep their size of 9 points, frames shrink or
    /// grow. Two panels beside each other stand below each other where there is no room for both.
    pub fn to_svg_of_width(&self, millimetres: f64) -> String {
        draw::svg(self, Some(millimetres * 96.0 / 25.4))
    }

    /// An SVG picture of this room as PNG, with 300 dots per inch and letters of a font of its own.
    ///
    /// # Errors
    /// Text that is not SVG, or a picture too large to be drawn.
    pub fn to_png(svg: &str) -> Result<Vec<u8>, NotDrawn> {
        png::png(svg)
    }
}
