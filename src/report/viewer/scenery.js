// Obstacles: where they are at a frame, and how they are drawn with the body.

function readScenery(header, arrayOf) {
  const scenery = { count: header.count };
  for (const name of ["points", "owners", "triangles", "edges", "outline", "lines", "motions"]) {
    scenery[name] = arrayOf(header[name]);
  }
  scenery.flat = header.flat.map(flat => ({ ...flat, slides: arrayOf(flat.slides) }));
  // The edge at each side of a triangle; none where two triangles are one face.
  const size = scenery.points.length / 3, key = (a, b) => Math.min(a, b) * size + Math.max(a, b), known = new Map();
  for (let e = 0; e < scenery.edges.length; e += 2) known.set(key(scenery.edges[e], scenery.edges[e + 1]), e / 2);
  scenery.sides = Int32Array.from(scenery.triangles, (a, n) => {
    const b = scenery.triangles[n % 3 === 2 ? n - 2 : n + 1];
    return known.get(key(a, b)) ?? -1;
  });
  scenery.sharp = new Uint8Array(scenery.edges.length / 2);
  for (let e = 0; e < scenery.outline.length; e += 2) {
    scenery.sharp[known.get(key(scenery.outline[e], scenery.outline[e + 1]))] = 1;
  }
  return scenery;
}

function turned(motion, [x, y, z]) {
  return [0, 1, 2].map(i => motion[3 * i] * x + motion[3 * i + 1] * y + motion[3 * i + 2] * z);
}

function motionAt(model, owner, frame) {
  const at = 12 * (owner * model.frames + frame);
  return model.scenery.motions.subarray(at, at + 12);
}

// How far the middle of an obstacle has come; of a flat one, its height alone.
function travelAt(model, owner, frame) {
  const { middles, flat } = model.scenery, motion = motionAt(model, owner, frame);
  const travel = turned(motion, middles[owner]).map((x, i) => x + motion[9 + i] - middles[owner][i]);
  const own = flat.find(flat => flat.owner === owner);
  if (!own) return travel;
  const normal = turned(motion, own.normal);
  const height = normal.reduce((sum, x, i) => sum + x * travel[i], 0);
  return normal.map(x => height * x);
}

// Middles, and which obstacles move as little as the body: their way is enlarged with its displacements, so that
// what touches stays together. One that comes from afar is shown where it is.
function measureScenery(model) {
  const { scenery } = model, counts = new Array(scenery.count).fill(0);
  scenery.middles = counts.map(() => [0, 0, 0]);
  scenery.owners.forEach((owner, n) => {
    counts[owner]++;
    for (let i = 0; i < 3; i++) scenery.middles[owner][i] += scenery.points[3 * n + i];
  });
  scenery.middles = scenery.middles.map((sum, o) => sum.map(x => x / (counts[o] || 1)));
  for (const { owner, point } of scenery.flat) scenery.middles[owner] = point;
  scenery.enlarged = counts.map((_, owner) => {
    let farthest = 0;
    for (let k = 0; k < model.frames; k++) farthest = Math.max(farthest, Math.hypot(...travelAt(model, owner, k)));
    return model.warp * farthest <= model.diagonal / 2;
  });
}

// What is added to where an obstacle is: its way enlarged, and that of the body taken off where it is followed.
function offsetAt(model, state, owner, frame, mean) {
  const more = model.scenery.enlarged[owner] ? state.warp - 1 : 0, travel = travelAt(model, owner, frame);
  return travel.map((x, i) => more * x - (state.follow ? state.warp * mean[i] : 0));
}

const meanAt = (model, frame) => meanOf(readVectors(model, "displacement", frame));

// Where the points of all obstacles are at a frame.
function sceneryAt(model, state, frame) {
  const { scenery } = model, places = new Float32Array(scenery.points.length), mean = meanAt(model, frame);
  const offsets = scenery.middles.map((_, owner) => offsetAt(model, state, owner, frame, mean));
  const motions = scenery.middles.map((_, owner) => motionAt(model, owner, frame));
  scenery.owners.forEach((owner, n) => {
    const m = motions[owner], offset = offsets[owner];
    const [x, y, z] = [scenery.points[3 * n], scenery.points[3 * n + 1], scenery.points[3 * n + 2]];
    for (let i = 0; i < 3; i++) {
      places[3 * n + i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z + m[9 + i] + offset[i];
    }
  });
  return places;
}

// The endless flat ones at the frame that is shown: a point, the normal, and how far they have slid.
function flatAt(model, state) {
  const mean = meanAt(model, state.frame);
  return model.scenery.flat.map(({ owner, point, normal, slides }) => {
    const travel = travelAt(model, owner, state.frame), offset = offsetAt(model, state, owner, state.frame, mean);
    const slid = Array.from(slides.subarray(3 * state.frame, 3 * state.frame + 3));
    return {
      point: point.map((x, i) => x + travel[i] + offset[i] + slid[i]),
      normal: turned(motionAt(model, owner, state.frame), normal), slid,
    };
  });
}

// Obstacles that are to be in the picture: as far as a quarter of the body beside it.
function sceneryNear(model, state, lists) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const list of lists) {
    for (let n = 0; n < list.length; n++) {
      low[n % 3] = Math.min(low[n % 3], list[n]);
      high[n % 3] = Math.max(high[n % 3], list[n]);
    }
  }
  const beside = 0.25 * model.diagonal;
  return model.times.map((_, frame) => sceneryAt(model, state, frame)
    .map((x, n) => Math.min(high[n % 3] + beside, Math.max(low[n % 3] - beside, x))));
}

// In the plane: lines, hatched on the side away from the bodies, which are to their left.
function drawHatchedSegments(ink, pairs, places, camera) {
  if (!pairs.length) return;
  const { context, theme } = ink, gap = 9;
  context.save();
  context.strokeStyle = theme.soft;
  context.lineWidth = 1.6;
  drawSegments(ink, pairs, places, camera);
  context.lineWidth = 0.8;
  context.beginPath();
  let rest = 0;
  for (let e = 0; e < pairs.length; e += 2) {
    const [a, b] = [pairs[e], pairs[e + 1]].map(n => camera.project(places[3 * n], places[3 * n + 1], places[3 * n + 2]));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0) || length > 1e5) continue;
    const [tx, ty] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    let along = rest;
    for (; along < length; along += gap) {
      const [x, y] = [a[0] + along * tx, a[1] + along * ty];
      context.moveTo(x, y);
      // To the right, which on a screen, where y points down, is (−ty, tx).
      context.lineTo(x - 7 * ty - 7 * tx, y + 7 * tx - 7 * ty);
    }
    rest = along - length;
  }
  context.stroke();
  context.restore();
}

// In space: faces that look at the eye, seen through, with their edges.
function paintScenery(raster, scenery, places, camera, pixels) {
  const { triangles, sides, edges, sharp } = scenery, corners = cornersOf(places, camera, pixels);
  const seen = new Uint8Array(sharp.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t], b = triangles[t + 1], c = triangles[t + 2];
    const area = (corners[4 * b] - corners[4 * a]) * (corners[4 * c + 1] - corners[4 * a + 1])
      - (corners[4 * c] - corners[4 * a]) * (corners[4 * b + 1] - corners[4 * a + 1]);
    // y points down: what turns to the left in space turns to the right here.
    if (!(area < 0)) continue;
    raster.veil(corners, a, b, c, 95 + 75 * shadeOf(corners, a, b, c) / (SHADES - 1), 0.3);
    for (let side = t; side < t + 3; side++) if (sides[side] >= 0) seen[sides[side]] = 1;
  }
  seen.forEach((is, e) => {
    if (is) raster.line(corners, edges[2 * e], edges[2 * e + 1], 0.6 * pixels, sharp[e] ? 0.7 : 0.3);
  });
}
