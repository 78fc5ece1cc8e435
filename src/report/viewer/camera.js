// A camera without perspective. In the plane it looks along z; in space it turns about an axis that stays
// upright.

class Camera {
  constructor(dimension, up) {
    this.dimension = dimension;
    this.up = up;
    this.reset();
  }

  reset() {
    this.azimuth = -0.62;
    this.elevation = 0.38;
    this.centre = [0, 0, 0];
    this.scale = 1;
    this.middle = [0, 0];
    this.turn();
  }

  // Right, upwards and towards the eye.
  turn() {
    if (this.dimension < 3) {
      this.axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      return;
    }
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    const axes = [[ca, sa, 0], [-se * sa, se * ca, ce], [ce * sa, -ce * ca, se]];
    // The axis that stays upright is the third of (x, y, z) turned in a circle.
    const shift = (this.up + 1) % 3;
    this.axes = axes.map(axis => [0, 1, 2].map(i => axis[(i - shift + 3) % 3]));
  }

  rotate(dx, dy) {
    this.azimuth -= dx;
    this.elevation = Math.max(-1.55, Math.min(1.55, this.elevation + dy));
    this.turn();
  }

  pan(dx, dy) {
    for (let i = 0; i < 3; i++) {
      this.centre[i] += (dy * this.axes[1][i] - dx * this.axes[0][i]) / this.scale;
    }
  }

  // What is at (x, y) stays there.
  zoom(factor, x, y) {
    const [dx, dy] = [x - this.middle[0], y - this.middle[1]];
    this.pan(-dx, -dy);
    this.scale *= factor;
    this.pan(dx, dy);
  }

  // The point in pixels, and its depth in pixels, larger towards the eye.
  project(x, y, z) {
    const [p, q, r] = [x - this.centre[0], y - this.centre[1], z - this.centre[2]];
    const along = axis => this.scale * (p * axis[0] + q * axis[1] + r * axis[2]);
    return [this.middle[0] + along(this.axes[0]), this.middle[1] - along(this.axes[1]), along(this.axes[2])];
  }

  // Fills a rectangle of pixels with all points of all lists.
  fit(lists, [left, top, right, bottom]) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const points of lists) {
      for (let n = 0; n < points.length; n += 3) {
        for (let k = 0; k < 3; k++) {
          const axis = this.axes[k];
          const s = points[n] * axis[0] + points[n + 1] * axis[1] + points[n + 2] * axis[2];
          if (s < low[k]) low[k] = s;
          if (s > high[k]) high[k] = s;
        }
      }
    }
    const size = [0, 1, 2].map(k => high[k] - low[k]), largest = Math.max(...size, 1e-300);
    const room = k => Math.max(size[k], 1e-3 * largest);
    this.scale = Math.min((right - left) / room(0), (bottom - top) / room(1));
    const centre = [0, 1, 2].map(k => (high[k] + low[k]) / 2);
    this.centre = [0, 1, 2].map(i => [0, 1, 2].reduce((sum, k) => sum + centre[k] * this.axes[k][i], 0));
    this.middle = [(left + right) / 2, (top + bottom) / 2];
    this.size = largest;
  }
}
