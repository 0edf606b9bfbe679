// Labels are set like those of a printed map: the weightiest first, on whichever side is free. None lies over another,
// over a weightier dot, or across the frame; over a lesser dot only from afar. All boxes are in pixels of the screen.
function names(s, ctx) {
  const scale = s.net.getScale();
  if (s.cursor) ring(s, ctx, s.node.get(s.cursor), scale);
  if (s.data.boxed) return;
  if (s.node.has(s.data.selected)) ring(s, ctx, s.node.get(s.data.selected), scale);
  const middle = s.net.getViewPosition();
  const [half, tall] = [s.host.clientWidth / 2 - 4, s.host.clientHeight / 2 - 4];
  const frame = [middle.x * scale - half, middle.y * scale - tall, middle.x * scale + half, middle.y * scale + tall];
  const [taken, dots] = [shelves(), shelves()];
  const free = (b) => b[0] > frame[0] && b[1] > frame[1] && b[2] < frame[2] && b[3] < frame[3] && taken.free(b);
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  const first = [s.data.selected, s.hovered, s.cursor].filter((id) => s.node.has(id)).map((id) => s.node.get(id));
  const rest = (s.lit.size ? s.order.filter((n) => s.lit.has(n.id)) : s.order).filter((n) => !first.includes(n));
  const around = (n) => [n.x - n.size, n.y - n.size, n.x + n.size, n.y + n.size].map((edge) => edge * scale);
  for (const n of [...first, ...rest]) dots.add(around(n));
  s.labels = [];  // where a click means a name: [id, box]
  const set = (n, strong) => {
    taken.add(around(n));
    const size = strong ? 14 : 12;
    const { lines, width } = measured(s, ctx, n.label, size, strong ? 600 : 400);
    const height = lines.length * size * 1.15;
    const [x, y, gap] = [n.x * scale, n.y * scale, n.size * scale + (strong ? 10 : 4)];
    const sides = [["left", x + gap, y], ["right", x - gap, y],
                   ["center", x, y + gap + height / 2], ["center", x, y - gap - height / 2]];
    const boxes = sides.map(([align, cx, cy]) => {
      const left = align === "left" ? cx : align === "right" ? cx - width : cx - width / 2;
      return [left - 2, cy - height / 2, left + width + 2, cy + height / 2];
    });
    const open = boxes.map(free);
    let at = boxes.findIndex((box, i) => open[i] && dots.free(box));
    if (at < 0 && scale < 0.6) at = open.indexOf(true);
    if (at < 0 && !strong) return;
    if (at < 0) at = sides[0][1] + width < frame[2] ? 0 : 1;
    taken.add(boxes[at]);
    s.labels.push([n.id, boxes[at]]);
    ctx.font = `${strong ? 600 : 400} ${size / scale}px ${s.colours.font}`;
    ctx.textAlign = sides[at][0];
    lines.forEach((text, i) => {
      const ly = (sides[at][2] + (i - (lines.length - 1) / 2) * size * 1.15) / scale;
      written(ctx, text, sides[at][1] / scale, ly, s.colours.text, s.colours.ground, 3.5 / scale);
    });
  };
  for (const n of new Set(first)) set(n, true);
  areaNames(s, ctx, scale, taken, free);
  for (const n of rest) set(n, false);
}

// The node whose label lies under a point of the host's, if any.
function labelAt(s, point) {
  const [middle, scale] = [s.net.getViewPosition(), s.net.getScale()];
  const x = middle.x * scale + point.x - s.host.clientWidth / 2, y = middle.y * scale + point.y - s.host.clientHeight / 2;
  const found = (s.labels || []).find(([, b]) => x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3]);
  return found && found[0];
}

function areaNames(s, ctx, scale, taken, free) {
  ctx.textAlign = "center";
  ctx.font = `700 ${(s.host.clientWidth > 600 ? 12 : 9) / scale}px ${s.colours.font}`;
  for (const { name, hue, places } of s.areas) {
    const text = name.toUpperCase();
    const width = ctx.measureText(text).width * scale;
    for (const place of places) {
      const [x, y] = [place.x * scale, place.y * scale];
      const box = [x - width / 2 - 4, y - 8, x + width / 2 + 4, y + 8];
      if (!free(box)) continue;
      taken.add(box);
      written(ctx, text, x / scale, y / scale, `hsl(${hue} 42% ${s.colours.dark ? 72 : 34}%)`, s.colours.ground, 3 / scale);
      break;
    }
  }
}

// Where an area's name may stand: above, below or amid its own densest part, and never nearer to another area's dots.
function areaPlaces(members, nodes) {
  const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  const around = (n) => members.filter((m) => apart(n, m) < 240);
  const core = members.map(around).reduce((best, near) => (near.length > best.length ? near : best));
  const [top, bottom] = [Math.min(...core.map((n) => n.y)) - 44, Math.max(...core.map((n) => n.y)) + 44];
  const own = new Set(members);
  const nearest = (place) => nodes.reduce((best, n) => (apart(n, place) < apart(best, place) ? n : best));
  return [top, bottom, (top + bottom) / 2].map((y) => {
    const rim = core.filter((n) => Math.abs(n.y - y) < 160);
    const beside = rim.length ? rim : core;
    return { x: beside.reduce((sum, n) => sum + n.x, 0) / beside.length, y };
  }).filter((place) => own.has(nearest(place)));
}

function written(ctx, text, x, y, colour, ground, halo) {
  ctx.strokeStyle = ground;
  ctx.lineWidth = halo;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

// Boxes, found again by the strips of the screen that they touch.
function shelves() {
  const strips = new Map();
  const touched = (b) => Array.from({ length: Math.floor(b[3] / 32) - Math.floor(b[1] / 32) + 1 }, (_, i) => Math.floor(b[1] / 32) + i);
  return {
    add: (b) => touched(b).forEach((i) => strips.has(i) ? strips.get(i).push(b) : strips.set(i, [b])),
    free: (b) => touched(b).every((i) => (strips.get(i) || []).every((t) => b[0] > t[2] || b[2] < t[0] || b[1] > t[3] || b[3] < t[1])),
  };
}

// A label's lines and its width in pixels of the screen, measured once.
function measured(s, ctx, label, size, weight) {
  const known = `${size} ${s.colours.font} ${label}`;
  if (!s.sizes.has(known)) {
    const lines = wrapped(label);
    ctx.save();
    ctx.font = `${weight} ${size}px ${s.colours.font}`;
    s.sizes.set(known, { lines, width: Math.max(...lines.map((text) => ctx.measureText(text).width)) });
    ctx.restore();
  }
  return s.sizes.get(known);
}

function wrapped(label) {
  if (label.length < 24) return [label];
  const middle = label.length / 2;
  let cut = -1;
  for (let i = label.indexOf(" ", 3); i >= 0; i = label.indexOf(" ", i + 1))
    if (cut < 0 || Math.abs(i - middle) < Math.abs(cut - middle)) cut = i;
  return cut < 0 ? [label] : [label.slice(0, cut), label.slice(cut + 1)];
}
