// Labels are set like those of a printed map: the weightiest first, on whichever side is free, and none over another.
// What is lit must be named: its label may move away, tied to its dot with a line. Others are left out where untidy.

const TURNS = [0, 180, 90, 270, 45, 315, 135, 225].map((degrees) => (degrees * Math.PI) / 180);
const FINE = [...TURNS, ...[22, 68, 112, 158, 202, 248, 292, 338].map((degrees) => (degrees * Math.PI) / 180)];
const AWAY = [0, 14, 28, 44, 62, 84, 110, 140, 180]; // pixels between a lit dot and its label
const MUST = 180; // how far the label of what must be named may stand from its dot
const REST = 84; // that of any other dot
const NEAR = 14; // so near a label needs no line
const CLOSE = 0.6; // the scale from which on every name is drawn that has room; from afar some thirty are
const STRIP = 48; // the height of the strips in which boxes are kept

function drawLabels(s, ctx, view) {
  const { strong, must, rest } = ranked(s);
  const dotBox = (n) => boxAround(n.x * view.scale, n.y * view.scale, radius(s, n, view.scale));
  const marks = [...strong, ...must].map(dotBox);
  const paper = paperOf(s, ctx, view, marks);
  const label = (n, size, weight) => {
    const r = radius(s, n, view.scale) + (n.id === s.selected || n.id === s.cursor ? 6 : 2);
    return { id: n.id, x: n.x * view.scale, y: n.y * view.scale, r, size, weight, lines: wrapped(n.label) };
  };
  s.labels = [];
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  for (const box of [...marks, ...rest.map(dotBox)]) paper.dots.add(box);
  for (const caption of s.picture.captions) {
    const box = drawCaption(s, ctx, view, caption, paper.taken.free);
    if (box) paper.take({ caption: caption.text, box });
  }
  const ground = s.stage.getBoundingClientRect();
  const [right, down] = [view.x - view.width / 2 - ground.left, view.y - view.height / 2 - ground.top];
  for (const b of [s.tools, s.legend].map((part) => part.getBoundingClientRect()).filter((b) => b.width))
    paper.take({ box: [b.left + right, b.top + down, b.right + right, b.bottom + down] }); // no name goes below them
  for (const { x, y } of s.discs) paper.take({ box: boxAround(x, y, DISC + 2) });
  const reach = s.discs.length ? 28 : s.lit.size || s.picture.centre ? MUST : REST;
  nameStops(paper);
  for (const n of strong) setNear(paper, label(n, 14, 600), MUST);
  for (const n of must) setNear(paper, label(n, 12, 500), reach);
  drawAreaNames(paper);
  const most = view.scale < CLOSE ? view.width / 30 + s.labels.length : Infinity;
  for (const n of rest) if (s.labels.length < most) setNear(paper, label(n, 12, 400), 0);
  const named = new Set(s.labels.map(({ id }) => id));
  for (const n of rest) if (n.area === s.pointedArea && !named.has(n.id)) setNear(paper, label(n, 12, 400), 0);
}

// Which names come first, which must be there, and which stand where there is room left. A few are all named.
function ranked(s) {
  const stops = new Set(s.discs.map((disc) => disc.id));
  const shown = (n) => n && !isHidden(s, n) && !stops.has(n.id);
  const strong = [...new Set([s.selected, s.unnamed && s.hovered, s.cursor])].map((id) => s.node.get(id)).filter(shown);
  const others = s.order.filter((n) => shown(n) && !strong.includes(n));
  if (!s.lit.size && others.length > 120) return { strong, must: [], rest: s.quiet.filter((n) => shown(n) && !strong.includes(n)) };
  if (!s.lit.size) return { strong, must: others, rest: [] };
  const group = s.node.get(s.selected)?.group;
  const lit = others.filter((n) => s.lit.has(n.id));
  return { strong, must: lit.sort((a, b) => (b.group === group) - (a.group === group)), rest: [] };
}

// What has been drawn so far. `marks`: boxes of dots. A tidy line crosses no dot, no other line, no name and no route.
function paperOf(s, ctx, view, marks) {
  const frame = frameOf(view);
  const taken = shelves();
  const boxes = [...marks];
  const lines = [];
  const route = s.curve.slice(1).map((p, i) => [s.curve[i], p]);
  const inFrame = (b) => b[0] > frame[0] && b[1] > frame[1] && b[2] < frame[2] && b[3] < frame[3];
  return {
    s,
    ctx,
    view,
    taken,
    dots: shelves(),
    turns: s.picture.centre ? [Math.PI / 2, ...TURNS] : s.discs.length ? FINE : TURNS, // names of layers stand below
    inSight: (label) => inside(label, frame),
    free: (b) => inFrame(b) && taken.free(b),
    onRoute: (b) => route.some((part) => through(part, [b[0] - 3, b[1] - 3, b[2] + 3, b[3] + 3])),
    tidy(label, box, line) {
      if (lines.some((other) => through(other, box))) return false;
      if (!line) return true;
      if ([...lines, ...route].some((other) => cross(line, other))) return false;
      return !boxes.some((b) => !inside(label, b) && through(line, b));
    },
    take(label) {
      taken.add(label.box);
      boxes.push(label.box);
      if (label.leader) lines.push(label.leader);
      if (label.id || label.area || label.caption) s.labels.push(label);
    },
  };
}

const boxAround = (x, y, r) => [x - r, y - r, x + r, y + r];

// Boxes [left, top, right, bottom] of the screen, kept in strips so that asking whether a place is free costs little.
function shelves() {
  const strips = new Map();
  const touched = ([, top, , bottom]) => {
    const first = Math.floor(top / STRIP);
    return Array.from({ length: Math.floor(bottom / STRIP) - first + 1 }, (_, i) => first + i);
  };
  return {
    add: (b) => touched(b).forEach((i) => strips.get(i)?.push(b) || strips.set(i, [b])),
    free: (b) => touched(b).every((i) => (strips.get(i) || []).every((other) => !overlap(b, other))),
  };
}

// Name the stops of a route, the one with the fewest places first and each where it leaves most places to the others:
// greedy, as compared by Christensen, Marks and Shieber (1995). Beside a name its own disc is the nearest.
function nameStops(paper) {
  const left = paper.s.discs.map((disc) => placesOfStop(paper, disc));
  while (left.length) {
    const next = leastOf(left, (places) => places.length);
    left.splice(left.indexOf(next), 1);
    const others = left.flat();
    const taking = ({ box, cost }) => cost + 0.3 * others.filter((other) => overlap(box, other.box)).length;
    const best = leastOf(next.slice(0, 24), taking);
    if (best) put(paper, best.label, best.box, null);
    for (const [i, places] of left.entries()) left[i] = places.filter(({ box }) => !best || !overlap(box, best.box));
  }
}

function placesOfStop(paper, disc) {
  const { s, view } = paper;
  const found = [];
  const whole = wrapped(`${disc.n || "✓"} ${disc.title}`);
  const narrow = whole.flatMap((line) => wrapped(line, 13));
  for (const lines of narrow.length > whole.length && narrow.length < 4 ? [whole, narrow] : [whole]) {
    const label = { ...disc, r: DISC + 1, size: view.width <= 600 ? 12 : 13, weight: 600, lines };
    const size = sizeOf(paper, label);
    for (const away of [0, 8, 20, 36])
      for (const turn of FINE) {
        const box = boxAt(label, size, turn, away);
        if (!paper.free(box) || !isNearest(box, disc, s.discs)) continue;
        const cost = away + 4 * lines.length + 12 * paper.onRoute(box) + 4 * !paper.dots.free(box);
        found.push({ label, box, cost });
      }
  }
  return found.sort((a, b) => a.cost - b.cost);
}

// Whether a disc is nearer to a box, and to the middle of it, than all the others.
function isNearest(box, disc, discs) {
  const middle = { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 };
  const rim = ({ x, y }) => ({ x: Math.min(box[2], Math.max(box[0], x)), y: Math.min(box[3], Math.max(box[1], y)) });
  return discs.every((other) => other === disc ||
    (apart(disc, rim(disc)) < apart(other, rim(other)) && apart(disc, middle) < apart(other, middle)));
}

const overlap = (a, b) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

// A long label stands on two lines, cut at the space that is nearest to its middle.
function wrapped(label, least = 24) {
  const spaces = [...label.matchAll(/ /g)].map(({ index }) => index).filter((at) => at >= 3 && label.length >= least);
  const cut = leastOf(spaces, (at) => Math.abs(at - label.length / 2));
  return cut ? [label.slice(0, cut), label.slice(cut + 1)] : [label];
}

// Places around a dot, then farther away. What is neither chosen nor lit is named right beside its dot, or not.
function setNear(paper, label, reach) {
  const { dots, free, tidy, onRoute } = paper;
  if (!paper.inSight(label)) return;
  const size = sizeOf(paper, label);
  const isTidy = (b, line) => free(b) && tidy(label, b, line);
  const isClear = (b, line) => isTidy(b, line) && !onRoute(b);
  const isOpen = (b, line) => dots.free(b) && isClear(b, line);
  const isBare = (b) => dots.free(b) && free(b);
  const beside = paper.view.scale < 0.6 ? [isBare, free] : [isBare];
  const ways = { 0: beside, [MUST]: [isOpen, isClear, isTidy, free], [REST]: [isOpen, isClear] }[reach] || [isOpen];
  const turns = reach ? paper.turns : TURNS.slice(0, 4);
  for (const allowed of ways)
    for (const away of AWAY.filter((far) => far <= reach))
      for (const turn of turns) {
        const box = boxAt(label, size, turn, away);
        const line = away > NEAR ? leaderOf(label, box) : null;
        if (allowed(box, line)) return put(paper, label, box, line);
      }
}

function boxAt({ x, y, r }, [width, height], turn, away) {
  const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
  const gap = r + 3 + away;
  const left = x + dx * gap + (Math.abs(dx) < 0.1 ? -width / 2 : dx > 0 ? 0 : -width);
  const top = y + dy * gap + (Math.abs(dx) >= 0.1 && Math.abs(dy) < 0.1 ? -height / 2 : dy > 0 ? 0 : -height);
  return [left, top, left + width, top + height];
}

function put(paper, label, box, line) {
  const { s, ctx } = paper;
  const [left, top, right] = box;
  paper.take({ id: label.id, box, leader: line });
  Object.assign(ctx, { lineWidth: 1, globalAlpha: 0.65, strokeStyle: s.theme.text });
  strokeLines(ctx, line ? [line] : []);
  ctx.globalAlpha = 1;
  const side = "n" in label ? "center" : right < label.x ? "right" : left > label.x ? "left" : "center";
  const at = { right: right - 2, left: left + 2, center: (left + right) / 2 }[side];
  ctx.textAlign = side;
  ctx.font = fontOf(s, label);
  label.lines.forEach((text, i) => write(s, ctx, text, at, top + 1 + (i + 0.5) * label.size * 1.18));
}

const fontOf = (s, { weight, size }) => `${weight} ${size}px ${s.theme.font}`;

// A label's width and height in pixels, measured once.
function sizeOf({ s, ctx }, label) {
  const known = `${fontOf(s, label)} ${label.lines.join("\n")}`;
  if (!s.sizes.has(known)) {
    ctx.font = fontOf(s, label);
    const width = Math.max(...label.lines.map((text) => ctx.measureText(text).width));
    s.sizes.set(known, [width + 6, label.lines.length * label.size * 1.18 + 2]);
  }
  return s.sizes.get(known);
}

// The line from a dot's rim to the nearest point of the name's box.
function leaderOf({ x, y, r }, box) {
  const to = { x: Math.min(box[2], Math.max(box[0], x)), y: Math.min(box[3], Math.max(box[1], y)) };
  const far = Math.hypot(to.x - x, to.y - y) || 1;
  return [{ x: x + ((to.x - x) * r) / far, y: y + ((to.y - y) * r) / far }, to];
}

const inside = (p, b) => p.x > b[0] && p.x < b[2] && p.y > b[1] && p.y < b[3];

function cross([a, b], [c, d]) {
  const side = (p, q, r) => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

// Whether a line runs through a box: it ends in it or crosses one of its diagonals.
function through(line, box) {
  const at = (x, y) => ({ x: box[x], y: box[y] });
  return line.some((p) => inside(p, box)) || cross(line, [at(0, 1), at(2, 3)]) || cross(line, [at(2, 1), at(0, 3)]);
}

// The names of areas, wherever room is left, on their own ground where that has room; fainter while something is lit.
function drawAreaNames(paper) {
  const { s, ctx, view } = paper;
  const small = view.width <= 600;
  ctx.textAlign = "center";
  ctx.font = `700 ${small ? 11 : 12}px ${s.theme.font}`;
  ctx.globalAlpha = s.lit.size ? 0.75 : 1;
  for (const { name, members, hue, places } of s.areas) {
    const text = small && !s.lit.size ? `${name} ${members.length}` : name.toUpperCase();
    const half = ctx.measureText(text).width / 2;
    const open = places
      .flatMap(({ x, y }) => [0, -0.6, 0.6, -1.2, 1.2].map((slide) => [x * view.scale + slide * half, y * view.scale]))
      .map(([x, y]) => ({ x, y, box: [x - half - 4, y - 8, x + half + 4, y + 8] }))
      .filter(({ box }) => paper.free(box) && paper.tidy({}, box, null) && !paper.onRoute(box));
    const areaAt = (x, y) => nearestOf(s.picture.nodes, { x: x / view.scale, y: y / view.scale }).area;
    const isOwn = ({ x, y }) => [x - half, x + half].every((end) => areaAt(end, y) === name);
    const found = open.find(isOwn) || open[0];
    if (!found) continue;
    paper.take({ area: name, box: found.box });
    write(s, ctx, text, found.x, found.y, `hsl(${hue} 42% ${s.theme.dark ? 74 : 32}%)`);
  }
  ctx.globalAlpha = 1;
}
