// What is drawn with lines and letters over and under the picture of the body.

const FONT = "12px system-ui, sans-serif";

// A text that stays readable on any ground.
function haloText(ink, text, x, y) {
  const { context, theme } = ink;
  context.font = FONT;
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = theme.paper;
  context.strokeText(text, x, y);
  context.fillStyle = theme.ink;
  context.fillText(text, x, y);
}

function drawSegments(ink, pairs, places, camera) {
  const { context } = ink;
  context.beginPath();
  for (let e = 0; e < pairs.length; e += 2) {
    for (const end of [0, 1]) {
      const n = 3 * pairs[e + end];
      const [x, y] = camera.project(places[n], places[n + 1], places[n + 2]);
      end ? context.lineTo(x, y) : context.moveTo(x, y);
    }
  }
  context.stroke();
}

function drawOutline(ink, model, camera) {
  const { context, theme } = ink;
  context.save();
  context.setLineDash([5, 4]);
  context.lineWidth = 1.2;
  context.strokeStyle = theme.soft;
  drawSegments(ink, model.outline, model.points, camera);
  drawSegments(ink, model.lines, model.points, camera);
  context.restore();
}

// An endless flat obstacle: in the plane a hatched line, in space a plate. `before` is the side of the plate that
// is drawn over the body.
function drawFloor(ink, floor, model, camera, before) {
  const length = Math.hypot(...floor.normal);
  if (!(length > 0)) return;
  const normal = floor.normal.map(x => x / length);
  model.dimension < 3 ? drawHatchedLine(ink, floor, normal, camera, before)
    : drawPlate(ink, floor, normal, model, camera, before);
}

function drawHatchedLine(ink, floor, normal, camera, before) {
  if (before) return;
  const { context, theme, width, height } = ink;
  const [x, y] = camera.project(...floor.point), [nx, ny] = [normal[0], -normal[1]], [tx, ty] = [-ny, nx];
  const reach = width + height, middle = (width / 2 - x) * tx + (height / 2 - y) * ty;
  const at = (along, down) => [x + along * tx - down * nx, y + along * ty - down * ny];
  context.save();
  context.beginPath();
  context.moveTo(...at(middle - reach, 0));
  context.lineTo(...at(middle + reach, 0));
  context.lineWidth = 1.6;
  context.strokeStyle = theme.soft;
  context.stroke();
  context.beginPath();
  const gap = 9;
  for (let along = Math.floor((middle - reach) / gap) * gap; along < middle + reach; along += gap) {
    context.moveTo(...at(along, 0));
    context.lineTo(...at(along - 7, 7));
  }
  context.lineWidth = 0.8;
  context.stroke();
  context.restore();
}

function drawPlate(ink, floor, normal, model, camera, before) {
  const { context, theme } = ink;
  const towardsEye = normal.reduce((sum, x, i) => sum + x * camera.axes[2][i], 0) > 0;
  if (before === towardsEye) return;
  const spare = Math.abs(normal[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  let u = cross(normal, spare);
  u = u.map(x => x / Math.hypot(...u));
  const v = cross(normal, u), reach = 0.75 * model.diagonal;
  const off = [0, 1, 2].reduce((sum, i) => sum + (model.middle[i] - floor.point[i]) * normal[i], 0);
  // The lines go with the plate where it slides along itself.
  const slid = axis => axis.reduce((sum, x, i) => sum + x * floor.slid[i], 0) / reach * 5;
  const [du, dv] = [slid(u), slid(v)].map(s => (s - Math.floor(s)) / 5);
  const foot = [0, 1, 2].map(i => model.middle[i] - off * normal[i]);
  const at = (p, q) => camera.project(...[0, 1, 2].map(i => foot[i] + reach * (p * u[i] + q * v[i]))).slice(0, 2);
  context.save();
  context.beginPath();
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([p, q], n) => n ? context.lineTo(...at(p, q)) : context.moveTo(...at(p, q)));
  context.closePath();
  context.globalAlpha = before ? 0.12 : 0.16;
  context.fillStyle = theme.soft;
  context.fill();
  context.globalAlpha = 0.5;
  context.strokeStyle = theme.soft;
  context.lineWidth = 0.7;
  for (let n = -5; n <= 5; n++) {
    if (n / 5 + du <= 1) {
      context.moveTo(...at(n / 5 + du, -1));
      context.lineTo(...at(n / 5 + du, 1));
    }
    if (n / 5 + dv <= 1) {
      context.moveTo(...at(-1, n / 5 + dv));
      context.lineTo(...at(1, n / 5 + dv));
    }
  }
  context.stroke();
  context.restore();
}

// An arrow in one colour, `extra` pixels wider all around.
function drawArrow(ink, tail, tip, colour, extra) {
  const { context } = ink;
  const [dx, dy] = [tip[0] - tail[0], tip[1] - tail[1]], length = Math.hypot(dx, dy);
  if (!(length > 1.5)) return;
  const [ux, uy] = [dx / length, dy / length], head = Math.min(8, 0.6 * length), half = 0.45 * head;
  const neck = [tip[0] - head * ux, tip[1] - head * uy];
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.6 + 2 * extra;
  context.beginPath();
  context.moveTo(...tail);
  context.lineTo(...neck);
  context.stroke();
  context.beginPath();
  context.moveTo(...tip);
  context.lineTo(neck[0] - half * uy, neck[1] + half * ux);
  context.lineTo(neck[0] + half * uy, neck[1] - half * ux);
  context.closePath();
  context.fill();
  if (extra) {
    context.lineWidth = 2 * extra;
    context.stroke();
  }
}

// Contact forces as arrows that end where they act; `pixels` of length per unit of force. Those behind the
// body are pale.
function drawForces(ink, model, places, forces, least, camera, pixels, isHidden) {
  const scale = pixels / camera.scale;
  // All rims first, so that none cuts a neighbour.
  for (const [colour, extra] of [[ink.theme.paper, 1], [ink.theme.force, 0]]) {
    model.contacts.forEach((point, contact) => {
      if (Math.hypot(...forces.slice(3 * contact, 3 * contact + 3)) <= least) return;
      ink.context.globalAlpha = isHidden(point) ? 0.3 : 1;
      const at = [0, 1, 2].map(i => places[3 * point + i]);
      const from = at.map((x, i) => x - scale * forces[3 * contact + i]);
      drawArrow(ink, camera.project(...from).slice(0, 2), camera.project(...at).slice(0, 2), colour, extra);
    });
  }
  ink.context.globalAlpha = 1;
}

// An arrow of a round length as measure.
function drawArrowScale(ink, pixels, unit) {
  const raw = 60 / pixels, power = 10 ** Math.floor(Math.log10(raw));
  const force = power * ([5, 2, 1].find(x => x * power <= raw) || 1);
  const length = force * pixels, y = 42;
  drawArrow(ink, [14, y], [14 + length, y], ink.theme.force, 0);
  haloText(ink, `${numberText(force)} ${unit}`.trim(), 22 + length, y + 4);
}

function drawContactPoints(ink, model, places, camera, colourAt) {
  const { context, theme } = ink;
  model.contacts.forEach((point, contact) => {
    const [x, y] = camera.project(places[3 * point], places[3 * point + 1], places[3 * point + 2]);
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fillStyle = rgbText(colourAt(contact));
    context.fill();
    context.lineWidth = 0.8;
    context.strokeStyle = theme.ink;
    context.stroke();
  });
}

function drawColourBar(ink, choice, scale) {
  const { context, theme, width, height } = ink;
  const [left, top, wide, high] = [width - 96, 44, 14, Math.min(300, height - 110)];
  for (let i = 0; i < high; i++) {
    context.fillStyle = rgbText(scale.map.colour(1 - (i + 0.5) / high));
    context.fillRect(left, top + i, wide, 1.5);
  }
  context.strokeStyle = theme.soft;
  context.lineWidth = 1;
  context.strokeRect(left - 0.5, top - 0.5, wide + 1, high + 1);
  for (const tick of ticksOf(scale.low, scale.high, 6)) {
    const y = top + high * (1 - (tick - scale.low) / (scale.high - scale.low));
    context.strokeStyle = theme.soft;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left + wide, y);
    context.lineTo(left + wide + 4, y);
    context.stroke();
    haloText(ink, numberText(tick), left + wide + 7, y + 4);
  }
  context.textAlign = "right";
  haloText(ink, choice.unit ? `${choice.label} [${choice.unit}]` : choice.label, width - 14, top - 18);
  context.textAlign = "left";
}

function drawStatusLegend(ink, label) {
  const { context, theme, width } = ink;
  context.textAlign = "right";
  haloText(ink, label, width - 14, 26);
  context.textAlign = "left";
  STATUS.forEach(({ name, colour }, i) => {
    const y = 44 + 20 * i;
    context.beginPath();
    context.arc(width - 62, y, 5, 0, 2 * Math.PI);
    context.fillStyle = rgbText(colour);
    context.fill();
    context.strokeStyle = theme.ink;
    context.lineWidth = 0.8;
    context.stroke();
    haloText(ink, name, width - 50, y + 4);
  });
}

// The directions of x, y, z.
function drawTriad(ink, camera) {
  const { context, theme, height } = ink;
  const [x, y] = [52, height - 62];
  camera.axes[0].forEach((_, i) => {
    const [dx, dy] = [26 * camera.axes[0][i], -26 * camera.axes[1][i]];
    if (Math.hypot(dx, dy) < 3) return;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + dx, y + dy);
    context.strokeStyle = theme.ink;
    context.lineWidth = 1.3;
    context.stroke();
    context.textAlign = "center";
    haloText(ink, "xyz"[i], x + 1.35 * dx, y + 1.35 * dy + 4);
    context.textAlign = "left";
  });
}

function drawRing(ink, [x, y]) {
  const { context, theme } = ink;
  for (const [style, wide] of [[theme.paper, 4], [theme.force, 2]]) {
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.strokeStyle = style;
    context.lineWidth = wide;
    context.stroke();
  }
}
