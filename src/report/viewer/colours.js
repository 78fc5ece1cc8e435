// Colours and numbers. The maps are made in OKLab (B. Ottosson, 2020), where equal distances look equal:
// lightness is linear in the value, so that equal steps of a field are equal steps to the eye.

const COLOURS = 512;
const SHADES = 24;

function linearRgb(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ];
}

// Red, green, blue from 0 to 255; as colourful as the screen can, at most `chroma`.
function colourOf(lightness, chroma, degrees) {
  const angle = degrees * Math.PI / 180;
  for (let c = chroma; ; c = Math.max(0, c - 0.004)) {
    const rgb = linearRgb(lightness, c * Math.cos(angle), c * Math.sin(angle));
    if (c === 0 || rgb.every(x => x >= 0 && x <= 1)) {
      const gamma = x => x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
      return rgb.map(x => Math.round(255 * gamma(Math.min(1, Math.max(0, x)))));
    }
  }
}

// From dark violet over blue and green to yellow, 0 ≤ t ≤ 1.
function sequential(t) {
  const hues = [300, 272, 240, 205, 172, 140, 108];
  const at = t * (hues.length - 1), i = Math.min(hues.length - 2, Math.floor(at));
  return colourOf(0.31 + 0.62 * t, 0.12, hues[i] + (at - i) * (hues[i + 1] - hues[i]));
}

// From blue over a pale grey to red, 0 ≤ t ≤ 1.
function diverging(t) {
  const far = Math.abs(2 * t - 1);
  return colourOf(0.94 - 0.5 * far, 0.19 * far ** 0.8, t < 0.5 ? 258 : 28);
}

const rgbText = ([r, g, b], alpha = 1) => `rgba(${r},${g},${b},${alpha})`;
// As a pixel lies in memory: red first, all opaque.
const pixelOf = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;

// The colours of a map in each shade, the brightest last.
function shadedMap(map) {
  const table = new Uint32Array(COLOURS * SHADES);
  for (let i = 0; i < COLOURS; i++) {
    const rgb = map(i / (COLOURS - 1));
    for (let shade = 0; shade < SHADES; shade++) {
      const light = 0.62 + 0.38 * shade / (SHADES - 1);
      table[shade * COLOURS + i] = pixelOf(rgb.map(x => Math.round(light * x)));
    }
  }
  return table;
}

const MAPS = {
  sequential: { colour: sequential, table: shadedMap(sequential) },
  diverging: { colour: diverging, table: shadedMap(diverging) },
  plain: { colour: () => [176, 186, 202], table: shadedMap(() => [176, 186, 202]) },
};

// Contact status 0, 1, 2.
const STATUS = [
  { name: "open", colour: [150, 158, 172] },
  { name: "stick", colour: [28, 108, 214] },
  { name: "slip", colour: [226, 88, 34] },
];

const superscript = n => [...String(n)].map(c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("");

// A number for people: four digits, a true minus.
function numberText(x, digits = 4) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  let text;
  if (size >= 1e-3 && size < 1e5) {
    text = String(Number(x.toPrecision(digits)));
  } else {
    const [mantissa, power] = x.toExponential(digits - 1).split("e");
    text = `${Number(mantissa)}·10${superscript(Number(power))}`;
  }
  return text.replace("-", "−");
}

// Round numbers between two.
function ticksOf(low, high, count) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(x => x * power >= raw);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
