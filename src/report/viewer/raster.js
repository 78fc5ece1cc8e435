// A picture with a depth and a name for every pixel. Triangles, lines and discs are filled into it by hand,
// so that no graphics card is asked for and the picture is the same everywhere.

// A pixel under a grey that is seen through.
function over(pixel, grey, alpha) {
  const under = (pixel >>> 24) / 255 * (1 - alpha), whole = alpha + under;
  const red = ((pixel & 255) * under + grey * alpha) / whole;
  const green = ((pixel >> 8 & 255) * under + grey * alpha) / whole;
  const blue = ((pixel >> 16 & 255) * under + grey * alpha) / whole;
  return (Math.round(255 * whole) << 24 | blue << 16 | green << 8 | red) >>> 0;
}

class Raster {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.width = this.height = 0;
  }

  resize(width, height) {
    if (width !== this.width || height !== this.height) {
      [this.width, this.height] = [this.canvas.width, this.canvas.height] = [width, height];
      this.context = this.canvas.getContext("2d");
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depths = new Float32Array(width * height);
      this.names = new Int32Array(width * height);
    }
    this.pixels.fill(0);
    this.depths.fill(-Infinity);
    this.names.fill(0);
  }

  show() {
    this.context.putImageData(this.image, 0, 0);
    return this.canvas;
  }

  nameAt(x, y) {
    const column = Math.floor(x), row = Math.floor(y);
    const inside = column >= 0 && row >= 0 && column < this.width && row < this.height;
    return inside ? this.names[row * this.width + column] : 0;
  }

  // Whether corner i of a list of x, y, depth and level lies more than `lift` behind what is seen there.
  hides(list, i, lift) {
    const column = Math.floor(list[4 * i]), row = Math.floor(list[4 * i + 1]);
    const inside = column >= 0 && row >= 0 && column < this.width && row < this.height;
    return inside && this.depths[row * this.width + column] > list[4 * i + 2] + lift;
  }

  // The columns of a triangle at the height y, into `first` and `end`.
  cut(y, x0, y0, x1, y1, x2, y2) {
    let left = Infinity, right = -Infinity;
    if ((y0 <= y) !== (y1 <= y)) {
      const x = x0 + (y - y0) * (x1 - x0) / (y1 - y0);
      if (x < left) left = x;
      if (x > right) right = x;
    }
    if ((y1 <= y) !== (y2 <= y)) {
      const x = x1 + (y - y1) * (x2 - x1) / (y2 - y1);
      if (x < left) left = x;
      if (x > right) right = x;
    }
    if ((y2 <= y) !== (y0 <= y)) {
      const x = x2 + (y - y2) * (x0 - x2) / (y0 - y2);
      if (x < left) left = x;
      if (x > right) right = x;
    }
    this.first = Math.max(0, Math.ceil(left - 0.5));
    this.end = Math.min(this.width, Math.ceil(right - 0.5));
  }

  // A triangle that is seen through, of one grey, over what is behind it.
  veil(list, i, j, k, grey, alpha) {
    const x0 = list[4 * i], y0 = list[4 * i + 1], z0 = list[4 * i + 2];
    const x1 = list[4 * j], y1 = list[4 * j + 1], z1 = list[4 * j + 2];
    const x2 = list[4 * k], y2 = list[4 * k + 1], z2 = list[4 * k + 2];
    const { width, height, depths, pixels } = this;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (!(Math.abs(area) > 1e-6)) return;
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(y0, y1, y2) - 0.5) - 1);
    const zx = ((z1 - z0) * (y2 - y0) - (z2 - z0) * (y1 - y0)) / area;
    const zy = ((z2 - z0) * (x1 - x0) - (z1 - z0) * (x2 - x0)) / area;
    for (let row = top; row <= bottom; row++) {
      const y = row + 0.5;
      this.cut(y, x0, y0, x1, y1, x2, y2);
      for (let column = this.first; column < this.end; column++) {
        const at = row * width + column;
        if (z0 + (column + 0.5 - x0) * zx + (y - y0) * zy < depths[at]) continue;
        pixels[at] = over(pixels[at], grey, alpha);
      }
    }
  }

  // Corners i, j, k of a list of x, y, depth and level; all of level `flat` where that is a number. Levels
  // count colours of `table` from `base`.
  triangle(list, i, j, k, flat, table, base, name) {
    const x0 = list[4 * i], y0 = list[4 * i + 1], z0 = list[4 * i + 2];
    const x1 = list[4 * j], y1 = list[4 * j + 1], z1 = list[4 * j + 2];
    const x2 = list[4 * k], y2 = list[4 * k + 1], z2 = list[4 * k + 2];
    const own = flat !== flat;
    const v0 = own ? list[4 * i + 3] : flat, v1 = own ? list[4 * j + 3] : flat, v2 = own ? list[4 * k + 3] : flat;
    const { width, height, depths, pixels, names } = this;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(y0, y1, y2) - 0.5) - 1);
    if (!(Math.abs(area) > 1e-6) || Math.max(x0, x1, x2) < 0 || Math.min(x0, x1, x2) > width) return;
    const zx = ((z1 - z0) * (y2 - y0) - (z2 - z0) * (y1 - y0)) / area;
    const zy = ((z2 - z0) * (x1 - x0) - (z1 - z0) * (x2 - x0)) / area;
    const vx = ((v1 - v0) * (y2 - y0) - (v2 - v0) * (y1 - y0)) / area;
    const vy = ((v2 - v0) * (x1 - x0) - (v1 - v0) * (x2 - x0)) / area;
    for (let row = top; row <= bottom; row++) {
      const y = row + 0.5;
      this.cut(y, x0, y0, x1, y1, x2, y2);
      const { first, end } = this;
      let z = z0 + (first + 0.5 - x0) * zx + (y - y0) * zy;
      let v = v0 + (first + 0.5 - x0) * vx + (y - y0) * vy;
      for (let at = row * width + first, stop = row * width + end; at < stop; at++) {
        if (z > depths[at]) {
          depths[at] = z;
          pixels[at] = table[base + (v < 0 ? 0 : v > COLOURS - 1 ? COLOURS - 1 : v | 0)];
          names[at] = name;
        }
        z += zx;
        v += vx;
      }
    }
  }

  // A band of `thickness` pixels between corners i and j.
  band(list, i, j, thickness, flat, table, base) {
    const dx = list[4 * j] - list[4 * i], dy = list[4 * j + 1] - list[4 * i + 1];
    const length = Math.hypot(dx, dy) || 1, nx = -dy / length * thickness / 2, ny = dx / length * thickness / 2;
    const four = [];
    for (const [n, sign] of [[i, 1], [i, -1], [j, 1], [j, -1]]) {
      four.push(list[4 * n] + sign * nx, list[4 * n + 1] + sign * ny, list[4 * n + 2], list[4 * n + 3]);
    }
    this.triangle(four, 0, 1, 2, flat, table, base, 0);
    this.triangle(four, 2, 1, 3, flat, table, base, 0);
  }

  disc(list, i, radius, table, base) {
    const { width, height, depths, pixels, names } = this;
    const x = list[4 * i], y = list[4 * i + 1], z = list[4 * i + 2] + radius;
    const colour = table[base + Math.min(COLOURS - 1, Math.max(0, list[4 * i + 3] | 0))];
    const bottom = Math.min(height - 1, Math.floor(y + radius));
    for (let row = Math.max(0, Math.ceil(y - radius)); row <= bottom; row++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (row - y) ** 2));
      const last = Math.min(width - 1, Math.floor(x + half));
      for (let column = Math.max(0, Math.ceil(x - half)); column <= last; column++) {
        const at = row * width + column;
        if (z > depths[at]) {
          depths[at] = z;
          pixels[at] = colour;
          names[at] = 0;
        }
      }
    }
  }

  // A line one pixel wide over what is no more than `lift` before it: darker than what is there, or
  // lighter where that is dark.
  line(list, a, b, lift, alpha) {
    const { width, height, depths, pixels } = this;
    const ax = list[4 * a], ay = list[4 * a + 1], az = list[4 * a + 2];
    const bx = list[4 * b], by = list[4 * b + 1], bz = list[4 * b + 2];
    const steps = Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)));
    if (!(steps < 4 * (width + height))) return;
    const keep = 1 - alpha;
    for (let s = 0; s <= steps; s++) {
      const t = steps ? s / steps : 0;
      const column = Math.floor(ax + t * (bx - ax)), row = Math.floor(ay + t * (by - ay));
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const i = row * width + column;
      if (az + t * (bz - az) + lift < depths[i]) continue;
      const p = pixels[i];
      if (p >>> 24 < 255) {
        pixels[i] = over(p, 0x70, alpha);
        continue;
      }
      const red = p & 255, green = p >> 8 & 255, blue = p >> 16 & 255;
      const other = 2 * red + 5 * green + blue > 800 ? 10 * alpha : 215 * alpha;
      const r = red * keep + other, g = green * keep + other, b = blue * keep + other;
      pixels[i] = ((p & 0xff000000) | b << 16 | g << 8 | r) >>> 0;
    }
  }
}
