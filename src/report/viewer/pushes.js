// Forces between bodies: arrows at the contacts of a frame.

function readPushes(header, arrayOf) {
  const read = components => components.map(component => ({
    ...component, levels: component.part ? arrayOf(component.part) : null,
  }));
  return { starts: arrayOf(header.starts), places: read(header.places), impulses: read(header.impulses) };
}

function componentAt(component, n) {
  if (!component.levels) return component.min;
  return component.min + (component.max - component.min) / 65535 * component.levels[n];
}

// Place and force of every contact of a frame.
function pushesAt(model, frame) {
  if (!model.pushes) return [];
  const { starts, places, impulses } = model.pushes, list = [];
  for (let n = starts[frame]; n < starts[frame + 1]; n++) {
    list.push({
      place: places.map(component => componentAt(component, n)),
      force: impulses.map(component => componentAt(component, n) / model.step),
    });
  }
  return list;
}

// An arrow for each, which ends where it acts on the first of the two bodies.
function drawPushes(ink, model, state, least, camera, pixels) {
  const pushes = pushesAt(model, state.frame), scale = pixels / camera.scale;
  const off = state.follow ? meanAt(model, state.frame) : [0, 0, 0];
  for (const [colour, extra] of [[ink.theme.paper, 1], [ink.theme.force, 0]]) {
    for (const { place, force } of pushes) {
      if (Math.hypot(...force) <= least) continue;
      const at = place.map((x, i) => x - off[i]), from = at.map((x, i) => x - scale * force[i]);
      drawArrow(ink, camera.project(...from).slice(0, 2), camera.project(...at).slice(0, 2), colour, extra);
    }
  }
}
