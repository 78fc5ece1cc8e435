// A picture with a depth and a name for every pixel. Triangles, lines and discs are filled into it by hand,
// so that no graphics card is asked for and the picture is the same everywhere.

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

  // Corners a, b, c as [x, y, depth, level]; levels count colours of `table` from `base`.
  triangle(a, b, c, table, base, name) {
    const [x0, y0, z0, v0] = a, [x1, y1, z1, v1] = b, [x2, y2, z2, v2] = c;
    const { width, height, depths, pixels, names } = this;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(y0, y1, y2) - 0.5) - 1);
    if (!(Math.abs(area) > 1e-6) || Math.max(x0, x1, x2) < 0 || Math.min(x0, x1, x2) > width) return;
    const alongX = (p, q) => (p * (y2 - y0) - q * (y1 - y0)) / area;
    const alongY = (p, q) => (q * (x1 - x0) - p * (x2 - x0)) / area;
    const zx = alongX(z1 - z0, z2 - z0), zy = alongY(z1 - z0, z2 - z0);
    const vx = alongX(v1 - v0, v2 - v0), vy = alongY(v1 - v0, v2 - v0);
    for (let row = top; row <= bottom; row++) {
      const y = row + 0.5;
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
      const first = Math.max(0, Math.ceil(left - 0.5)), end = Math.min(width, Math.ceil(right - 0.5));
      let z = z0 + (first + 0.5 - x0) * zx + (y - y0) * zy;
      let v = v0 + (first + 0.5 - x0) * vx + (y - y0) * vy;
      for (let i = row * width + first, stop = row * width + end; i < stop; i++) {
        if (z > depths[i]) {
          depths[i] = z;
          pixels[i] = table[base + (v < 0 ? 0 : v > COLOURS - 1 ? COLOURS - 1 : v | 0)];
          names[i] = name;
        }
        z += zx;
        v += vx;
      }
    }
  }

  // A band of `thickness` pixels between a and b.
  band(a, b, thickness, table, base, name) {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
    const nx = -dy / length * thickness / 2, ny = dx / length * thickness / 2;
    const beside = (p, sign) => [p[0] + sign * nx, p[1] + sign * ny, p[2], p[3]];
    this.triangle(beside(a, 1), beside(a, -1), beside(b, 1), table, base, name);
    this.triangle(beside(b, 1), beside(a, -1), beside(b, -1), table, base, name);
  }

  disc(centre, radius, table, base, name) {
    const [x, y, z, v] = centre, { width, height, depths, pixels, names } = this;
    const colour = table[base + Math.min(COLOURS - 1, Math.max(0, v | 0))];
    const bottom = Math.min(height - 1, Math.floor(y + radius));
    for (let row = Math.max(0, Math.ceil(y - radius)); row <= bottom; row++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (row - y) ** 2));
      const last = Math.min(width - 1, Math.floor(x + half));
      for (let column = Math.max(0, Math.ceil(x - half)); column <= last; column++) {
        const i = row * width + column;
        if (z > depths[i]) {
          [depths[i], pixels[i], names[i]] = [z, colour, name];
        }
      }
    }
  }

  // A line one pixel wide over what is no more than `lift` before it: darker than what is there, or
  // lighter where that is dark.
  line(ax, ay, az, bx, by, bz, lift, alpha) {
    const { width, height, depths, pixels } = this;
    const steps = Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)));
    if (!(steps < 4 * (width + height))) return;
    const keep = 1 - alpha, alone = ((255 * alpha) << 24 | 0x707070) >>> 0;
    for (let s = 0; s <= steps; s++) {
      const t = steps ? s / steps : 0;
      const column = Math.floor(ax + t * (bx - ax)), row = Math.floor(ay + t * (by - ay));
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const i = row * width + column;
      if (az + t * (bz - az) + lift < depths[i]) continue;
      const p = pixels[i];
      if (p === 0) {
        pixels[i] = alone;
        continue;
      }
      const red = p & 255, green = p >> 8 & 255, blue = p >> 16 & 255;
      const other = 2 * red + 5 * green + blue > 800 ? 10 * alpha : 215 * alpha;
      const r = red * keep + other, g = green * keep + other, b = blue * keep + other;
      pixels[i] = ((p & 0xff000000) | b << 16 | g << 8 | r) >>> 0;
    }
  }
}
