//! Figures: plain data in, the text of an SVG picture out.
//!
//! ```
//! use delassus::plot::{Curve, Figure, Kind, Panel};
//!
//! let fall = Curve {
//!     label: "fall".into(),
//!     points: (0..100).map(|k| 0.01 * f64::from(k)).map(|t| [t, 5.0 - 4.905 * t * t]).collect(),
//!     kind: Kind::Line,
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
mod draw;
mod layout;
mod trace;

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
    /// Later ones over earlier ones; where all are plain lines, flat ones over tall ones.
    pub curves: Vec<Curve>,
}

/// Points joined by a line, or by nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// In the legend; curves of one label have one colour in all panels, one without is grey.
    pub label: String,
    /// What is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub kind: Kind,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A line.
    #[default]
    Line,
    /// Dashes.
    Dashed,
    /// Short dashes.
    Dotted,
    /// A dot at each point.
    Points,
}

impl Figure {
    /// The picture. Lines keep the lowest and highest point of every pixel column and clouds one dot
    /// per pixel, so that it stays small however many points there are.
    pub fn to_svg(&self) -> String {
        draw::svg(self)
    }
}
