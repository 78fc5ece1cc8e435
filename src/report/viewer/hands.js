// The hands on a view: buttons, sliders, keys, mouse and fingers.

// Sliders of factors: 1 in the middle, a power of ten at each quarter; the warp is 0 at its left end.
const FACTOR = 50;

View.prototype.connect = function () {
  const { section, canvas, model, state } = this;
  const select = section.querySelector("[data-set=field]");
  for (const choice of this.choices) select.add(new Option(choice.label, choice.key));
  select.value = state.field;
  section.querySelector("[data-set=time]").max = model.frames - 1;
  for (const name of ["edges", "outline", "follow", "arrows"]) {
    section.querySelector(`[data-set=${name}]`).checked = state[name];
  }
  section.querySelector("[data-part=arrows]").hidden = !this.forceUnit;
  const turn = model.dimension === 3 ? "Drag to turn, shift-drag or two fingers to move" : "Drag to move";
  section.querySelector("[data-show=help]").textContent =
    `${turn}, wheel (after a click) or pinch to zoom; space plays, ← and → step, f fits, + and − zoom.`;
  canvas.setAttribute("aria-label", `${model.title}: the deformed body`);
  section.addEventListener("input", event => this.set(event.target));
  // Software that chooses for people may tell the change of a menu alone.
  section.addEventListener("change", event => event.target.tagName === "SELECT" && this.set(event.target));
  section.addEventListener("click", event => {
    const button = event.target.closest("[data-do]");
    if (button) this.act(button.dataset.do);
  });
  section.addEventListener("keydown", event => this.key(event));
  this.listenToPointers();
  new ResizeObserver(() => {
    const { width, height } = canvas.getBoundingClientRect();
    if (Math.abs(width - this.width) + Math.abs(height - this.height) > 1 && width > 0) {
      this.resize();
      this.fit();
    }
  }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  window.addEventListener("beforeprint", () => this.print(true));
  window.addEventListener("afterprint", () => this.print(false));
  this.label();
};

View.prototype.print = function (printing) {
  this.printing = printing;
  this.paint(2);
};

View.prototype.set = function (input) {
  const { state, model } = this, name = input.dataset.set;
  if (!name) return;
  if (name === "time") {
    // Before the pause, which sets the slider to the frame that is shown.
    state.frame = Number(input.value);
    this.pause();
  } else if (name === "warp") {
    const value = Number(input.value);
    state.warp = value ? model.warp * 10 ** ((value - 100) / FACTOR) : 0;
  } else if (name === "arrow") {
    state.arrow = 10 ** ((Number(input.value) - 100) / 100);
  } else if (input.type === "checkbox") {
    state[name] = input.checked;
  } else {
    state[name] = input.value;
  }
  this.label();
  name === "follow" ? this.fit() : this.draw();
};

View.prototype.act = function (name) {
  const actions = {
    play: () => this.playing ? this.pause() : this.play(),
    back: () => this.step(-1),
    forward: () => this.step(1),
    fit: () => this.fit(),
    save: () => this.save(),
    "true-scale": () => {
      this.state.warp = 1;
      const place = 100 - FACTOR * Math.log10(this.model.warp);
      this.section.querySelector("[data-set=warp]").value = Math.max(1, place);
      this.label();
      this.fit();
    },
  };
  actions[name]();
};

View.prototype.key = function (event) {
  const control = event.target.closest("input, select, button");
  if (event.ctrlKey || event.metaKey || event.altKey || control) return;
  const space = this.model.dimension === 3 && event.shiftKey;
  const actions = {
    " ": () => this.act("play"),
    ArrowLeft: () => space ? this.rotate(-0.1, 0) : this.step(-1),
    ArrowRight: () => space ? this.rotate(0.1, 0) : this.step(1),
    ArrowUp: space ? () => this.rotate(0, 0.1) : null,
    ArrowDown: space ? () => this.rotate(0, -0.1) : null,
    Home: () => this.step(-Infinity),
    End: () => this.step(Infinity),
    f: () => this.fit(),
    "+": () => this.zoom(1.2, this.width / 2, this.height / 2),
    "-": () => this.zoom(1 / 1.2, this.width / 2, this.height / 2),
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
};

View.prototype.step = function (by) {
  this.pause();
  this.state.frame = Math.min(this.model.frames - 1, Math.max(0, this.state.frame + by));
  this.label();
  this.draw();
};

View.prototype.play = function () {
  const { state, model } = this;
  if (model.frames < 2) return;
  if (state.frame === model.frames - 1) state.frame = 0;
  const each = Math.max(1000 / 60, PLAY / model.frames);
  const begun = performance.now() - state.frame * each;
  const tick = now => {
    if (!this.playing) return;
    state.frame = Math.min(model.frames - 1, Math.max(state.frame, Math.floor((now - begun) / each)));
    this.label();
    if (state.frame === model.frames - 1) this.pause();
    this.draw();
    if (this.playing) this.playing = requestAnimationFrame(tick);
  };
  this.playing = requestAnimationFrame(tick);
  this.label();
};

View.prototype.pause = function () {
  cancelAnimationFrame(this.playing);
  this.playing = 0;
  this.label();
};

View.prototype.label = function () {
  const { section, state, model } = this;
  const show = (name, text) => section.querySelector(`[data-show=${name}]`).textContent = text;
  section.querySelector("[data-set=time]").value = state.frame;
  section.querySelector("[data-set=time]").setAttribute("aria-valuetext", `t = ${numberText(model.times[state.frame])}`);
  show("time", `${numberText(model.times[state.frame])} ${model.units.time}`);
  show("warp", `× ${numberText(state.warp, 3)}`);
  const button = section.querySelector("[data-do=play]");
  button.textContent = this.playing ? "❚❚" : "▶";
  button.setAttribute("aria-label", this.playing ? "pause" : "play");
};

View.prototype.rotate = function (dx, dy) {
  this.camera.rotate(dx, dy);
  this.draw();
};

View.prototype.zoom = function (factor, x, y) {
  this.camera.zoom(factor, x, y);
  this.draw();
};

View.prototype.save = function () {
  this.paint(2);
  const link = document.createElement("a");
  link.download = `${this.model.title.replace(/[^\p{L}\p{N}]+/gu, "_") || "view"}_${this.state.frame}.png`;
  link.href = this.canvas.toDataURL("image/png");
  link.click();
};

View.prototype.listenToPointers = function () {
  const { canvas } = this, fingers = new Map();
  const at = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    fingers.set(event.pointerId, at(event));
  });
  const release = event => fingers.delete(event.pointerId);
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => this.hover(null));
  canvas.addEventListener("contextmenu", event => event.preventDefault());
  canvas.addEventListener("pointermove", event => {
    const now = at(event), before = fingers.get(event.pointerId);
    if (!before) {
      this.hover(now);
      return;
    }
    this.hovered = null;
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
      this.camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      this.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (this.model.dimension === 3 && !event.shiftKey && !(event.buttons & 6)) {
      this.rotate((now[0] - before[0]) / 150, (now[1] - before[1]) / 150);
    } else {
      this.camera.pan(now[0] - before[0], now[1] - before[1]);
      this.draw();
    }
    fingers.set(event.pointerId, now);
  });
  canvas.addEventListener("wheel", event => {
    // Whoever scrolls the page past a view that was not touched goes on scrolling.
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-0.0012 * event.deltaY * (event.deltaMode ? 30 : 1)), ...at(event));
  }, { passive: false });
};

View.prototype.hover = function (at) {
  const hit = at && !this.playing ? this.pick(...at) : null;
  const key = hit => hit && `${hit.point} ${hit.cell}`;
  const same = key(hit) === key(this.hovered || null);
  this.hovered = hit;
  if (!same) this.draw();
};

for (const section of document.querySelectorAll(".view")) {
  if (section.querySelector(".view-data")) new View(section);
}
