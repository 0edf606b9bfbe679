// What is drawn on vis-network's canvas: grounds of areas, lines, dots, and a route above them.

const LOOKS = {
  first: { colour: "gray", width: 0.8, dash: [], rest: 0.4, words: "comes before" },
  needs: { colour: "concept", width: 2.2, dash: [], head: true, words: "needs first" },
  leads: { colour: "leads", width: 1.8, dash: [8, 4], head: true, words: "leads to" },
  explains: { colour: "episode", width: 1.8, dash: [], rest: 0.45, words: "explained in" },
  related: { colour: "gray", width: 1.8, dash: [2, 4], rest: 0.3, words: "related" },
  after: { colour: "text", width: 1.4, dash: [8, 3, 2, 3], rest: 0.9, head: true, words: "listen after" },
  other: { colour: "gray", width: 1.2, dash: [1, 3], rest: 0.35, words: "other tie" },
}; // `rest`: how strong a line is without a choice
const KINDS = { TEACHES: "explains", RELATED_TO: "related", LISTEN_AFTER: "after" };
const DISC = 11; // the radius of a stop, in pixels
const LARGEST = 9; // the radius of the largest dot, in pixels
const COAST = 92; // of the ground around a dot, in units of the map: neighbours of an area stand nearer
const BRIDGE = 300; // dots of an area so near have one ground: its rim runs straight between them

// Words with a halo of the ground's colour, so that they can be read over dots and lines.
function write(s, ctx, text, x, y, colour = s.theme.text) {
  ctx.strokeStyle = s.theme.ground;
  ctx.lineWidth = 3.5;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

function circle(ctx, { x, y }, r, { inner, rim, width, group }) {
  ctx.beginPath();
  if (group === "episode") ctx.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
  else if (group === "resource") diamond(ctx, x, y, r * 1.25);
  else ctx.arc(x, y, r, 0, 2 * Math.PI);
  Object.assign(ctx, { fillStyle: inner || "transparent", strokeStyle: rim || "transparent", lineWidth: width || 1 });
  ctx.fill();
  ctx.stroke();
}

function diamond(ctx, x, y, r) {
  for (const [across, down] of [[r, 0], [0, r], [-r, 0], [0, -r]]) ctx.lineTo(x + across, y + down);
  ctx.closePath();
}

// Concepts are dots, episodes are squares, resources are diamonds. They grow with the root of the zoom, so that they neither vanish nor swell.
function radius(s, n, scale) {
  return Math.min(LARGEST, Math.max(s.lit.has(n.id) ? 4 : 1.7, n.size * 0.56 * Math.sqrt(scale)));
}

// What is faded is still seen: its contrast is 1.7 on a light ground, and 2 on a dark one.
function strength(s, n) {
  if (!s.lit.size || s.lit.has(n.id)) return 1;
  return s.known.has(n.id) || s.heard.has(n.id) ? 0.65 : s.theme.dark ? 0.35 : 0.4;
}

const isHidden = (s, n) => s.hidden.has(n.group) && n.id !== s.selected;

// What is heard is hollow, and so is a concept of a route that is not yet known: filled means that one has it.
function drawDot(s, ctx, n, scale) {
  if (isHidden(s, n)) return;
  const r = radius(s, n, scale) / scale;
  const hollow = n.group !== "concept" ? s.heard.has(n.id) : s.stops.length && s.lit.has(n.id) && !s.known.has(n.id);
  const [inner, rim] = hollow ? [s.theme.ground, s.theme[n.group]] : [s.theme[n.group], s.theme.ground];
  ctx.globalAlpha = strength(s, n);
  circle(ctx, n, r, { inner, rim, width: (hollow ? 1.6 : 1) / scale, group: n.group });
  ctx.globalAlpha = 1;
}

// {line, look, bright} of all that is drawn now: the lines of a choice or, while nothing is lit, of what is pointed at.
function linesDrawn(s) {
  const { centre, edges } = s.picture;
  const at = s.selected || (s.lit.size ? null : s.hovered);
  let found = centre ? edges : [];
  if (at && !centre && !s.stops.length) {
    const near = s.lit.size ? s.lit : new Set(neighbours(s, at));
    const own = s.linesAt.get(at).filter((line) => near.has(line.from) && near.has(line.to));
    found = [...own, ...unstored(s)];
  }
  const isShown = ({ from, to }) => ![from, to].some((id) => isHidden(s, s.node.get(id)));
  const bright = ({ from, to }) => Boolean(at) && [from, to].includes(at);
  const lookOf = ({ kind, from, to }) => {
    if (kind !== "REQUIRES" && kind !== "ASSUMES") return KINDS[kind] || "other";
    return to === at ? "needs" : from === at ? "leads" : "first";
  };
  return found.filter(isShown).map((line) => ({ line, look: lookOf(line), bright: bright(line) }));
}

// An episode may be related without a line in the graph: the nearest six are shown, fewer are stored.
function unstored(s) {
  const isEpisode = (id) => s.node.get(id).group === "episode";
  if (!s.selected || !isEpisode(s.selected)) return [];
  const own = s.linesAt.get(s.selected);
  const joined = new Set([s.selected, ...own.flatMap((line) => [line.from, line.to])]);
  const near = [...s.lit].filter((id) => !joined.has(id) && isEpisode(id));
  return near.map((id) => ({ from: s.selected, to: id, kind: "RELATED_TO" }));
}

function drawLines(s, ctx, scale) {
  const drawn = linesDrawn(s).filter(({ look }) => !s.hidden.has(look));
  for (const bright of [false, true])
    for (const [look, { colour, width, dash, rest, head }] of Object.entries(LOOKS)) {
      const own = drawn.filter((line) => line.look === look && line.bright === bright);
      const ends = own.map(({ line }) => endsOf(s, line, scale));
      const quiet = look === "after" ? 1.2 : 0.8;
      Object.assign(ctx, { lineWidth: bright ? width : quiet, globalAlpha: bright ? 0.95 : rest });
      ctx.strokeStyle = ctx.fillStyle = s.theme[colour];
      ctx.setLineDash(dash);
      strokeLines(ctx, ends);
      ctx.setLineDash([]);
      for (const [a, b] of head && (bright || look === "after") ? ends : []) drawArrow(ctx, a, b, 9);
    }
  ctx.globalAlpha = 1;
}

function strokeLines(ctx, lines) {
  ctx.beginPath();
  for (const [a, b] of lines) {
    ctx.moveTo(a.x, a.y);
    ctx.lineTo(b.x, b.y);
  }
  ctx.stroke();
}

function drawArrow(ctx, a, b, size) {
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  ctx.beginPath();
  ctx.moveTo(b.x, b.y);
  for (const side of [2.7, -2.7]) ctx.lineTo(b.x + size * Math.cos(turn + side), b.y + size * Math.sin(turn + side));
  ctx.fill();
}

// Both ends at the rims of their dots, in pixels.
function endsOf(s, line, scale) {
  const [m, n] = [s.node.get(line.from), s.node.get(line.to)];
  const [a, b] = [m, n].map((p) => ({ x: p.x * scale, y: p.y * scale }));
  const far = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
  const [ux, uy] = [(b.x - a.x) / far, (b.y - a.y) / far];
  const [from, to] = [radius(s, m, scale) + 1, radius(s, n, scale) + 3];
  const along = (p, far) => ({ x: p.x + ux * far, y: p.y + uy * far });
  return [along(a, from), along(b, -to)];
}

// A route: a line through numbered discs, with an arrow amid each stretch.
function drawRoute(s, ctx, scale) {
  s.discs = s.hidden.has("route") ? [] : discsOf(s, scale);
  s.curve = curveThrough(s.discs);
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.beginPath();
  for (const { x, y } of s.curve) ctx.lineTo(x, y);
  for (const rim of [true, false]) {
    Object.assign(ctx, { lineWidth: rim ? 8 : 4, strokeStyle: rim ? s.theme.ground : s.theme.route });
    ctx.stroke();
  }
  ctx.fillStyle = s.theme.route;
  for (let at = 7; at + 3 < s.curve.length; at += 16) drawArrow(ctx, s.curve[at], s.curve[at + 3], 15);
  for (const disc of s.discs) drawDisc(s, ctx, disc);
}

// Each stop with the place of its disc in pixels: at its node, moved just so far that no two discs touch.
function discsOf(s, scale) {
  const apart = 2 * DISC + 5;
  const discs = s.stops.map((stop, i) => {
    const { x, y } = s.node.get(stop.id);
    return { ...stop, x: x * scale + i * 1e-3, y: y * scale };
  });
  const pairs = discs.flatMap((a, i) => discs.slice(0, i).map((b) => [a, b]));
  const parted = ([a, b]) => {
    const [dx, dy] = [a.x - b.x, a.y - b.y];
    const far = Math.hypot(dx, dy);
    const push = far < apart - 0.01 ? (apart - far) / 2 / Math.max(far, 1e-6) : 0;
    [a.x, a.y, b.x, b.y] = [a.x + dx * push, a.y + dy * push, b.x - dx * push, b.y - dy * push];
    return push;
  };
  for (let turn = 0; turn < 200 && pairs.filter(parted).length; turn++);
  return discs;
}

// Points along a smooth line through the discs: a Catmull-Rom spline (1974), sixteen to a stretch.
function curveThrough(points) {
  const found = points.slice(0, 1);
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b, c, d] = [points[i - 1] || points[i], points[i], points[i + 1], points[i + 2] || points[i + 1]];
    for (let step = 1; step <= 16; step++) {
      const t = step / 16;
      const at = (k) => {
        const square = (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t;
        return 0.5 * (2 * b[k] + (c[k] - a[k]) * t + square + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3);
      };
      found.push({ x: at("x"), y: at("y") });
    }
  }
  return found;
}

function drawDisc(s, ctx, disc) {
  const { route, ground, gray, accent, font } = s.theme;
  const isHeard = s.heard.has(disc.id);
  if (disc.n && disc.n === s.pulsed) circle(ctx, disc, DISC + 7, { rim: accent, width: 3 });
  else if (disc.id === s.selected) circle(ctx, disc, DISC + 4, { rim: accent, width: 2.5 });
  circle(ctx, disc, DISC, { inner: isHeard ? gray : route, rim: ground, width: 2 });
  Object.assign(ctx, { fillStyle: ground, font: `700 12px ${font}`, textAlign: "center", textBaseline: "middle" });
  ctx.fillText(String(disc.n || "✓"), disc.x, disc.y + 0.5);
}

// Words of the picture itself: years above it, and the names of lanes, cut to their room, which stay in sight always.
// Draw one where `free` says that there is room, and return its box, null for none.
function drawCaption(s, ctx, view, caption, free) {
  const lane = caption.ends;
  const [x, y] = [caption.x * view.scale, caption.y * view.scale];
  ctx.font = `700 ${lane && view.width <= 600 ? 11 : 12}px ${s.theme.font}`;
  ctx.textAlign = "left";
  let text = caption.text;
  const widthOf = () => ctx.measureText(text).width;
  while (lane && text.length > 1 && widthOf() > laneRoom(view))
    text = `${text.replace("…", "").slice(0, -1).trimEnd()}…`;
  const left = lane ? Math.max(x - widthOf(), frameOf(view)[0] + 4) : x - widthOf() / 2;
  const box = [left, y - 7, left + widthOf(), y + 7];
  if (!free(box)) return null;
  write(s, ctx, text, left, y, s.theme.gray);
  return box;
}

// One soft ground under all the dots of an area: an image, painted once for a picture and a theme, which is fast.
function drawGrounds(s, ctx) {
  if (!s.areas.length) return;
  if (s.grounds?.of !== s.picture || s.grounds.dark !== s.theme.dark) s.grounds = groundsOf(s);
  ctx.globalAlpha = s.lit.size ? 0.55 : 1;
  ctx.drawImage(s.grounds.canvas, ...s.grounds.place);
  ctx.globalAlpha = 1;
}

function groundsOf(s) {
  const [west, east, north, south] = bounds(s.areas.flatMap(({ members }) => members));
  const [left, top] = [west - 2 * COAST, north - 2 * COAST];
  const [width, height] = [east - left + 2 * COAST, south - top + 2 * COAST];
  const scale = Math.min(0.5, Math.sqrt(6e5 / width / height)); // pixels of the image
  const canvas = element("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const ctx = canvas.getContext("2d");
  ctx.scale(canvas.width / width, canvas.height / height);
  ctx.translate(-left, -top);
  Object.assign(ctx, { lineCap: "round", lineWidth: 2 * COAST });
  for (const { hue, members, bridges } of s.areas) {
    ctx.strokeStyle = `hsl(${hue} 55% ${s.theme.dark ? "60% / 0.13" : "45% / 0.11"})`;
    strokeLines(ctx, [...members.map((n) => [n, n]), ...bridges]); // in one go: no darker where parts overlap
  }
  return { of: s.picture, dark: s.theme.dark, canvas, place: [left, top, width, height] };
}

// A picture, indexed for drawing: nodes by id and by weight, the lines at each node, and the areas' grounds.
function indexed(picture) {
  const { nodes, edges } = picture;
  const order = [...nodes].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
  const linesAt = new Map(nodes.map((n) => [n.id, []]));
  for (const line of edges) for (const end of [line.from, line.to]) linesAt.get(end).push(line);
  const areas = picture.areas
    .map((area) => ({ ...area, members: nodes.filter((n) => n.area === area.name) }))
    .filter(({ members }) => members.length)
    .map((area) => ({ ...area, places: areaPlaces(area.members, nodes), bridges: bridgesOf(area.members) }));
  const ahead = new Map(); // area -> its weightier nodes, while they are counted
  const place = new Map(order.map(({ id, area }) => [id, ahead.set(area, (ahead.get(area) || 0) + 1).get(area)]));
  const quiet = [...order].sort((a, b) => place.get(a.id) - place.get(b.id)); // the first of each area, the second ...
  return { picture, node: new Map(nodes.map((n) => [n.id, n])), order, quiet, linesAt, areas };
}

const apart = (a, b) => Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
const nearestOf = (nodes, place) => leastOf(nodes, (n) => apart(n, place));

// The first item whose measure is the least, none where all are infinite.
function leastOf(items, measure) {
  let [found, least] = [undefined, Infinity];
  for (const item of items) {
    const far = measure(item);
    if (far < least) [found, least] = [item, far];
  }
  return found;
}

// The pairs between which the ground is closed: near ones without a third dot between them (Gabriel and Sokal, 1969).
function bridgesOf(members) {
  const columns = [...members].sort((a, b) => a.x - b.x);
  return columns.flatMap((a, i) => {
    const around = columns.filter((c) => Math.abs(c.x - a.x) < BRIDGE && Math.abs(c.y - a.y) < BRIDGE);
    const near = columns.slice(i + 1).filter((b) => apart(a, b) < BRIDGE);
    const joined = near.filter((b) => {
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      return !around.some((c) => c !== a && c !== b && apart(c, middle) < apart(a, b) / 2);
    });
    return joined.map((b) => [a, b]);
  });
}

// Where the name of an area may stand: above, below or amid its densest part, and never nearer to another area's dots.
function areaPlaces(members, nodes) {
  const around = (n) => members.filter((m) => apart(n, m) < 240);
  const core = leastOf(members.map(around), (near) => -near.length);
  const [, , north, south] = bounds(core);
  const places = [north - 44, south + 44, (north + south) / 2].map((y) => {
    const rim = core.filter((n) => Math.abs(n.y - y) < 160);
    const beside = rim.length ? rim : core;
    return { x: beside.reduce((sum, n) => sum + n.x, 0) / beside.length, y };
  });
  return places.filter((place) => members.includes(nearestOf(nodes, place)));
}
