//! Colour scales: light is little, and both go on in grey.

/// Steps of a scale: more cannot be told apart. It is odd, so that one stands for nothing at all.
pub(super) const LEVELS: usize = 49;

/// From nothing to much: "Blues" of ColorBrewer (Brewer 2003), begun at white.
const SEQUENTIAL: [[f64; 3]; 6] = [
    [255.0, 255.0, 255.0],
    [222.0, 235.0, 247.0],
    [158.0, 202.0, 225.0],
    [66.0, 146.0, 198.0],
    [8.0, 81.0, 156.0],
    [8.0, 29.0, 74.0],
];

/// From negative over nothing to positive: "PuOr" of ColorBrewer, its middle white.
const DIVERGING: [[f64; 3]; 7] = [
    [84.0, 39.0, 136.0],
    [153.0, 142.0, 195.0],
    [216.0, 218.0, 235.0],
    [255.0, 255.0, 255.0],
    [254.0, 224.0, 182.0],
    [241.0, 163.0, 64.0],
    [179.0, 88.0, 6.0],
];

/// The colour at a share from 0 to 1 of the scale.
pub(super) fn colour_at(share: f64, diverging: bool) -> String {
    let anchors: &[[f64; 3]] = if diverging { &DIVERGING } else { &SEQUENTIAL };
    let place = share.clamp(0.0, 1.0) * (anchors.len() - 1) as f64;
    let below = (place.floor() as usize).min(anchors.len() - 2);
    let within = place - below as f64;
    let mix = |i: usize| (1.0 - within) * anchors[below][i] + within * anchors[below + 1][i];
    let [r, g, b] = [0, 1, 2].map(|i| mix(i).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The share in the middle of a level.
pub(super) fn share_of(level: usize) -> f64 {
    (level as f64 + 0.5) / LEVELS as f64
}

/// The level of a share.
pub(super) fn level_of(share: f64) -> usize {
    ((share * LEVELS as f64) as usize).min(LEVELS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_darkens_steadily_and_a_diverging_one_is_white_in_the_middle() {
        let light = |colour: &str| -> u32 {
            let part = |i: usize| u32::from_str_radix(&colour[i..i + 2], 16).unwrap();
            2 * part(1) + 5 * part(3) + part(5)
        };
        let scale: Vec<u32> =
            (0..LEVELS).map(|level| light(&colour_at(share_of(level), false))).collect();
        assert!(scale.windows(2).all(|pair| pair[1] < pair[0]), "{scale:?}");
        assert_eq!(colour_at(0.5, true), "#ffffff");
        assert_eq!(colour_at(0.0, false), "#ffffff");
        assert_eq!(level_of(1.0), LEVELS - 1);
    }
}
