// The data of a view: arrays out of one block of bytes, and the fields that can be chosen.

function readModel(section) {
  const header = JSON.parse(section.querySelector(".view-header").textContent);
  const source = section.querySelector(".view-data");
  const text = atob(source.textContent.trim());
  source.remove();
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const data = header.data;
  const arrayOf = part => {
    const type = { "16": Uint16Array, "32": Uint32Array, "-32": Float32Array }[part.bits];
    return new type(bytes.buffer, part.at, part.count);
  };
  const model = {
    title: header.title, units: header, dimension: data.dimension, times: data.times,
    warp: data.warp, step: data.step, frames: data.times.length,
  };
  for (const name of ["points", "point_numbers", "cell_numbers", "triangles", "triangle_cells", "edges",
    "outline", "lines", "line_cells", "dots", "contacts"]) {
    model[name] = arrayOf(data[name]);
  }
  model.count = model.points.length / 3;
  model.sizes = { point: model.count, cell: model.cell_numbers.length, contact: model.contacts.length };
  model.fields = Object.fromEntries(data.fields.map(field => [field.name, {
    ...field,
    components: field.components.map(component => ({
      ...component, levels: component.part ? arrayOf(component.part) : null,
    })),
  }]));
  model.scenery = data.scenery ? readScenery(data.scenery, arrayOf) : null;
  model.pushes = data.pushes ? readPushes(data.pushes, arrayOf) : null;
  model.hidden = data.hidden ? arrayOf(data.hidden) : null;
  model.contactOf = new Map(Array.from(model.contacts, (point, contact) => [point, contact]));
  return model;
}

// The values of a component at a frame, in `out`.
function readComponent(component, frame, out) {
  if (!component.levels) return out.fill(component.min);
  const start = frame * out.length, step = (component.max - component.min) / 65535;
  for (let i = 0; i < out.length; i++) out[i] = component.min + step * component.levels[start + i];
  return out;
}

// Displacements or impulses at a frame: three numbers for each point or contact.
function readVectors(model, name, frame) {
  const field = model.fields[name];
  if (!field) return null;
  const count = model.sizes[field.on], vectors = new Float32Array(3 * count), one = new Float32Array(count);
  field.components.forEach((component, i) => {
    readComponent(component, frame, one);
    for (let n = 0; n < count; n++) vectors[3 * n + i] = one[n];
  });
  return vectors;
}

// What can be chosen as colour: a name, where its values stand, and how they are read.
function choicesOf(model) {
  const choices = [{ key: "none", label: "nothing", on: "none" }];
  const add = (field, key, label, read) => {
    choices.push({ key, label, unit: field.unit, on: field.on, field, read, ranges: new Map() });
  };
  const changes = component => component.levels || component.min !== 0;
  const combined = (field, combine) => (frame, out) => {
    const parts = field.components.map(c => readComponent(c, frame, new Float32Array(out.length)));
    for (let i = 0; i < out.length; i++) out[i] = combine(parts, i);
    return out;
  };
  const length = (parts, i) => Math.hypot(...parts.map(part => part[i]));
  const addComponents = field => {
    for (const component of field.components.filter(changes)) {
      const label = `${field.label} ${component.name}`;
      add(field, `${field.name}.${component.name}`, label, (frame, out) => readComponent(component, frame, out));
    }
  };
  for (const field of Object.values(model.fields)) {
    if (field.components.length === 1) {
      add(field, field.name, field.label, (frame, out) => readComponent(field.components[0], frame, out));
    } else if (field.components.length === 3) {
      add(field, field.name, `${field.label} magnitude`, combined(field, length));
      addComponents(field);
    } else {
      add(field, "von_mises", "von Mises stress", combined(field, vonMises));
      addComponents(field);
    }
  }
  return choices;
}

function vonMises([xx, yy, zz, xy, yz, xz], i) {
  const normal = (xx[i] - yy[i]) ** 2 + (yy[i] - zz[i]) ** 2 + (zz[i] - xx[i]) ** 2;
  return Math.sqrt(normal / 2 + 3 * (xy[i] ** 2 + yz[i] ** 2 + xz[i] ** 2));
}

function valuesAt(model, choice, frame) {
  return choice.read(frame, new Float32Array(model.sizes[choice.on]));
}

// Least and largest value at a frame, or at all of them with frame = −1.
function extentOf(model, choice, frame) {
  if (!choice.ranges.has(frame)) {
    let low = Infinity, high = -Infinity;
    const frames = frame < 0 ? model.times.keys() : [frame];
    for (const k of frames) {
      for (const value of valuesAt(model, choice, k)) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    choice.ranges.set(frame, low <= high ? [low, high] : [0, 0]);
  }
  return choice.ranges.get(frame);
}

// The range of the colours and their map: about zero where both signs count.
function scaleOf(model, choice, frame) {
  if (choice.on === "none") return { map: MAPS.plain, low: 0, high: 1 };
  let [low, high] = extentOf(model, choice, frame);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (low < 0 && high > 0 && Math.min(-low, high) > 0.02 * largest) {
    return { map: MAPS.diverging, low: -largest, high: largest };
  }
  if (!(high > low)) {
    const room = largest > 0 ? 0.01 * largest : 1;
    [low, high] = [low - room, high + room];
  }
  return { map: MAPS.sequential, low, high };
}

// The mean displacement at a frame, of vectors that are read.
function meanOf(vectors) {
  const mean = [0, 0, 0], count = vectors.length / 3;
  for (let n = 0; n < vectors.length; n++) mean[n % 3] += vectors[n] / count;
  return mean;
}

// Where the points are at a frame, with displacements times `warp`, about their mean where it is followed.
function placesAt(model, frame, warp, follow, out) {
  const moved = readVectors(model, "displacement", frame);
  const mean = follow ? meanOf(moved) : [0, 0, 0];
  for (let n = 0; n < out.length; n++) out[n] = model.points[n] + warp * (moved[n] - mean[n % 3]);
  return out;
}
