// A view: what is chosen, what is drawn, and the hands on it.

const PAPER = { ink: "#000", soft: "#555", paper: "#fff", force: "#b3123f" };
// Milliseconds of a play from start to end.
const PLAY = 6000;

class View {
  constructor(section) {
    this.section = section;
    this.model = readModel(section);
    this.choices = choicesOf(this.model);
    this.canvas = section.querySelector(".view-canvas");
    this.context = this.canvas.getContext("2d");
    this.raster = new Raster();
    this.places = new Float32Array(this.model.points.length);
    this.measure();
    if (this.model.scenery) measureScenery(this.model);
    const first = this.model.scenery?.flat[0];
    const steepest = first ? first.normal.map(Math.abs) : [0, 0, 1];
    this.camera = new Camera(this.model.dimension, steepest.indexOf(Math.max(...steepest)));
    this.state = {
      frame: this.firstFrame(), warp: this.model.warp, arrow: 1, range: "all", field: this.firstField(), follow: false,
      edges: this.model.triangles.length < 60000, outline: this.model.triangles.length > 0, arrows: !!this.forceUnit,
    };
    this.connect();
    this.resize();
    this.fit();
  }

  // Middle and size of the body, and how long an arrow is.
  measure() {
    const { model } = this, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    model.points.forEach((x, n) => {
      low[n % 3] = Math.min(low[n % 3], x);
      high[n % 3] = Math.max(high[n % 3], x);
    });
    model.middle = low.map((x, i) => (x + high[i]) / 2);
    model.diagonal = Math.hypot(...low.map((x, i) => high[i] - x)) || 1;
    const sizes = [];
    this.pushes = new Float64Array(model.frames);
    if (model.fields.contact_impulse) {
      for (let k = 0; k < model.frames; k++) {
        const impulses = readVectors(model, "contact_impulse", k);
        for (let c = 0; c < impulses.length; c += 3) {
          const size = Math.hypot(impulses[c], impulses[c + 1], impulses[c + 2]) / model.step;
          if (size > 0) sizes.push(size);
          this.pushes[k] += size;
        }
      }
    }
    for (let k = 0; k < model.frames; k++) {
      for (const { force } of pushesAt(model, k)) {
        const size = Math.hypot(...force);
        sizes.push(size);
        this.pushes[k] += size;
      }
    }
    sizes.sort((a, b) => a - b);
    // What quantisation leaves of zero is no force.
    this.leastForce = 1e-6 * (sizes[sizes.length - 1] || 0);
    sizes.splice(0, sizes.findIndex(size => size > this.leastForce));
    // Nine in ten are no longer than a twelfth of the picture: one impact does not hide the others.
    const usual = sizes[Math.floor(0.9 * (sizes.length - 1))];
    this.forceUnit = usual ? 1 / usual : 0;
  }

  firstField() {
    const has = key => this.choices.find(choice => choice.key === key);
    return (has("von_mises") || has("velocity") || this.choices[0]).key;
  }

  // The one with the largest contact forces in all; the last where there are none.
  firstFrame() {
    const largest = Math.max(...this.pushes);
    return largest > 0 ? this.pushes.indexOf(largest) : this.model.frames - 1;
  }

  get choice() {
    return this.choices.find(choice => choice.key === this.state.field);
  }

  theme() {
    if (this.printing) return PAPER;
    const style = getComputedStyle(this.section), of = name => style.getPropertyValue(`--view-${name}`).trim();
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return {
      ink: of("ink"), soft: of("soft"), paper: of("paper"), force: dark ? "#ff7d9c" : PAPER.force,
    };
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    [this.width, this.height] = [Math.max(50, box.width), Math.max(50, box.height)];
    this.density = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(this.width * this.density);
    this.canvas.height = Math.round(this.height * this.density);
  }

  // The whole motion in the picture.
  fit() {
    const { model, state } = this, lists = [];
    for (let k = 0; k < model.frames; k++) {
      lists.push(placesAt(model, k, state.warp, state.follow, new Float32Array(model.points.length)));
    }
    if (model.triangles.length) lists.push(model.points);
    if (model.scenery) lists.push(...sceneryNear(model, state, lists));
    this.camera.fit(lists, [46, 60, this.width - 130, this.height - (this.forceUnit ? 88 : 64)]);
    this.draw();
  }

  // Asks for a picture: a quick one at once, a fine one when the hands rest.
  draw() {
    this.section.dataset.state = "drawing";
    clearTimeout(this.later);
    this.wanted ||= requestAnimationFrame(() => {
      this.wanted = 0;
      this.paint(1);
      if (!this.playing) this.later = setTimeout(() => this.finish(), 120);
    });
  }

  finish() {
    if (this.density < 2) this.paint(2);
    this.section.dataset.state = "done";
  }

  paint(fineness) {
    const started = performance.now();
    const { model, state, context } = this;
    const ink = { context, theme: this.theme(), width: this.width, height: this.height };
    const choice = this.choice, scale = scaleOf(model, choice, state.range === "all" ? -1 : state.frame);
    this.values = choice.on === "none" ? null : valuesAt(model, choice, state.frame);
    placesAt(model, state.frame, state.warp, state.follow, this.places);
    // A body that is not there yet, or no longer, is not drawn.
    model.absent = model.hidden?.subarray(state.frame * model.count, (state.frame + 1) * model.count);
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.fillStyle = ink.theme.paper;
    context.fillRect(0, 0, this.width, this.height);
    const floors = model.scenery ? flatAt(model, state) : [];
    this.sceneryPlaces = model.scenery ? sceneryAt(model, state, state.frame) : null;
    floors.forEach(floor => drawFloor(ink, floor, model, this.camera, false));
    if (model.scenery) drawHatchedSegments(ink, model.scenery.lines, this.sceneryPlaces, this.camera);
    if (state.outline) drawOutline(ink, model, this.camera);
    this.paintBody(ink, choice, scale, this.density * fineness);
    floors.forEach(floor => drawFloor(ink, floor, model, this.camera, true));
    this.paintContacts(ink, choice, scale);
    this.paintLabels(ink, choice, scale);
    if (this.hovered) drawRing(ink, this.placeOf(this.hovered.point));
    this.section.querySelector(".view-readout").textContent = this.readOut(this.hovered);
    const { dataset } = this.section;
    dataset.draws = Number(dataset.draws || 0) + 1;
    dataset.paintMs = (performance.now() - started).toFixed(1);
    dataset.firstDrawMs ||= performance.now().toFixed(0);
  }

  paintBody(ink, choice, scale, pixels) {
    const { model, raster, camera } = this;
    this.pixels = pixels;
    raster.resize(Math.round(this.width * pixels), Math.round(this.height * pixels));
    const onBody = choice.on === "point" || choice.on === "cell";
    const { table } = onBody ? scale.map : MAPS.plain;
    const levelOf = value => (COLOURS - 1) * (value - scale.low) / (scale.high - scale.low);
    const corners = cornersOf(this.places, camera, pixels);
    if (choice.on === "point") this.values.forEach((value, n) => corners[4 * n + 3] = levelOf(value));
    this.corners = corners;
    const levels = choice.on === "cell" ? this.values.map(levelOf) : null;
    paintTriangles(raster, model, corners, table, levels);
    paintLines(raster, model, corners, table, levels, 4 * pixels);
    for (const n of model.dots) if (!model.absent?.[n]) raster.disc(corners, n, 4.5 * pixels, table, COLOURS * (SHADES - 1));
    if (this.state.edges) paintEdges(raster, model, corners, pixels);
    if (model.scenery) paintScenery(raster, model.scenery, this.sceneryPlaces, camera, pixels);
    ink.context.imageSmoothingQuality = "high";
    ink.context.drawImage(raster.show(), 0, 0, this.width, this.height);
  }

  // Fields of contact points as dots, contact forces as arrows.
  paintContacts(ink, choice, scale) {
    const { model, state, camera, values } = this;
    if (choice.key === "contact_status") {
      drawContactPoints(ink, model, this.places, camera, c => (STATUS[Math.round(values[c])] || STATUS[0]).colour);
    } else if (choice.on === "contact") {
      const part = c => Math.min(1, Math.max(0, (values[c] - scale.low) / (scale.high - scale.low)));
      drawContactPoints(ink, model, this.places, camera, c => scale.map.colour(part(c)));
    }
    if (state.arrows && this.forceUnit) {
      drawPushes(ink, model, state, this.leastForce, camera, this.arrowPixels());
    }
    if (state.arrows && this.forceUnit && model.fields.contact_impulse) {
      const forces = readVectors(model, "contact_impulse", state.frame).map(x => x / model.step);
      drawForces(ink, model, this.places, forces, this.leastForce, camera, this.arrowPixels(),
        point => this.raster.hides(this.corners, point, 4 * this.pixels));
    }
  }

  arrowPixels() {
    return this.forceUnit * this.state.arrow * Math.min(this.width, this.height) / 12;
  }

  paintLabels(ink, choice, scale) {
    const { model, state } = this;
    haloText(ink, `t = ${numberText(model.times[state.frame])} ${model.units.time}`.trim(), 14, 22);
    if (state.arrows && this.forceUnit) {
      drawArrowScale(ink, this.arrowPixels(), model.units.force);
    }
    if (model.dimension === 3) drawTriad(ink, this.camera);
    if (choice.key === "contact_status") drawStatusLegend(ink, choice.label);
    else if (choice.on !== "none") drawColourBar(ink, choice, scale);
  }

  // The point of the body under the pointer.
  pick(x, y) {
    const { model, pixels } = this;
    if (!this.corners) return null;
    const name = this.raster.nameAt(pixels * x, pixels * y), far = 12;
    let candidates;
    if (name > 0) candidates = [0, 1, 2].map(i => model.triangles[3 * (name - 1) + i]);
    else candidates = [...model.contacts, ...model.lines, ...model.dots];
    let best = null, nearest = name > 0 ? Infinity : far;
    for (const n of candidates) {
      const [px, py] = this.placeOf(n), distance = Math.hypot(px - x, py - y);
      if (distance <= nearest) [best, nearest] = [n, distance];
    }
    if (best === null) return null;
    return { point: best, cell: name > 0 ? model.triangle_cells[name - 1] : null };
  }

  // Where a point is in the picture.
  placeOf(n) {
    return [this.corners[4 * n] / this.pixels, this.corners[4 * n + 1] / this.pixels];
  }

  readOut(hit) {
    const { model, choice, values } = this;
    if (!hit) return "";
    const place = Array.from(placesAt(model, this.state.frame, 1, false, new Float32Array(this.places.length))
      .subarray(3 * hit.point, 3 * hit.point + model.dimension));
    let text = `point ${model.point_numbers[hit.point]} at (${place.map(x => numberText(x)).join(", ")}) ${model.units.length}`;
    const index = { point: hit.point, cell: hit.cell, contact: model.contactOf.get(hit.point) }[choice.on];
    if (index !== undefined && index !== null) {
      const where = choice.on === "cell" ? ` of cell ${model.cell_numbers[index]}` : "";
      const value = choice.key === "contact_status" ? (STATUS[Math.round(values[index])] || { name: "?" }).name
        : `${numberText(values[index])} ${choice.unit}`;
      text += ` · ${choice.label}${where}: ${value}`;
    }
    return text.trim();
  }
}

// x, y and depth of points in a picture with so many pixels per unit, and a level of 0.
function cornersOf(places, camera, pixels) {
  const corners = new Float64Array(4 * places.length / 3);
  for (let n = 0; 3 * n < places.length; n++) {
    const [x, y, z] = camera.project(places[3 * n], places[3 * n + 1], places[3 * n + 2]);
    corners[4 * n] = pixels * x;
    corners[4 * n + 1] = pixels * y;
    corners[4 * n + 2] = pixels * z;
  }
  return corners;
}

// In space faces are shaded by how they are turned to a light beside the eye.
function paintTriangles(raster, model, corners, table, levels) {
  const { triangles, triangle_cells: cells, dimension } = model;
  for (let t = 0; t < cells.length; t++) {
    const a = triangles[3 * t], b = triangles[3 * t + 1], c = triangles[3 * t + 2];
    if (model.absent?.[a]) continue;
    const shade = dimension === 3 ? shadeOf(corners, a, b, c) : SHADES - 1;
    raster.triangle(corners, a, b, c, levels ? levels[cells[t]] : NaN, table, shade * COLOURS, t + 1);
  }
}

function shadeOf(list, a, b, c) {
  const x = list[4 * a], y = list[4 * a + 1], z = list[4 * a + 2];
  const ux = list[4 * b] - x, uy = list[4 * b + 1] - y, uz = list[4 * b + 2] - z;
  const vx = list[4 * c] - x, vy = list[4 * c + 1] - y, vz = list[4 * c + 2] - z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  // From the left and above; y points down here, and both sides of a face are seen.
  const light = Math.sign(nz) * (0.86 * nz - 0.28 * nx - 0.42 * ny) / (Math.hypot(nx, ny, nz) || 1);
  return Math.round((SHADES - 1) * Math.min(1, Math.max(0, light)));
}

function paintLines(raster, model, corners, table, levels, thickness) {
  const { lines, line_cells: cells } = model, full = COLOURS * (SHADES - 1);
  for (let l = 0; l < cells.length; l++) {
    if (model.absent?.[lines[2 * l]]) continue;
    raster.band(corners, lines[2 * l], lines[2 * l + 1], thickness, levels ? levels[cells[l]] : NaN, table, full);
  }
}

function paintEdges(raster, model, corners, pixels) {
  const { edges } = model;
  for (let e = 0; e < edges.length; e += 2) {
    if (!model.absent?.[edges[e]]) raster.line(corners, edges[e], edges[e + 1], 1.2 * pixels, 0.3);
  }
}
