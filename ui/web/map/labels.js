// Labels are set like those of a printed map: the weightiest first, on whichever side is free, and none over another.
// What is lit must be named: its label may move away from its dot and is then tied to it with a thin line. Without a
// choice, and for what a route carries over, a name that would stand untidily is left out.
import { drawAreaNames } from "./area_names.js";
import { isHidden, radius } from "./dots.js";
import { drawCaption } from "./captions.js";
import { drawLeader, leaderOf, leaders } from "./leaders.js";
import { DISC } from "./route.js";
import { shelves } from "./shelves.js";
import { frameOf } from "./view.js";
import { write } from "./write.js";

const radians = (degrees) => (degrees * Math.PI) / 180;
const TURNS = [0, 180, 90, 270, 45, 315, 135, 225].map(radians);
const FINE = [...TURNS, ...[22, 68, 112, 158, 202, 248, 292, 338].map(radians)];  // for a route, whose names are long
const FEW = 120;  // so few are all named without a choice, too
const AWAY = [0, 14, 28, 44, 62, 84, 110, 140, 180];  // pixels between a lit dot and its label
const REACH = { must: 180, rest: 84, route: 28 };  // how far that may be

export function drawLabels(s, ctx, view) {
  const { strong, must, rest } = ranked(s), marks = [...strong, ...must].map((n) => around(s, n, view.scale));
  const frame = frameOf(view), taken = shelves(), dots = shelves(), drawn = leaders(s.curve || [], marks);
  const inFrame = (b) => b[0] > frame[0] && b[1] > frame[1] && b[2] < frame[2] && b[3] < frame[3];
  const turns = s.picture.centre ? [Math.PI / 2, ...TURNS] : s.discs.length ? FINE : TURNS;  // the names of layers stand below
  const paper = { turns, s, ctx, view, dots, frame, free: (b) => inFrame(b) && taken.free(b), crowded: view.scale >= 0.6, drawn,
    take: (box, line) => { taken.add(box); drawn.add(box, line); } };
  s.labels = [];
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  for (const box of [...marks, ...rest.map((n) => around(s, n, view.scale))]) dots.add(box);
  for (const caption of s.picture.captions) {
    const box = drawCaption(s, ctx, view, caption, taken.free);
    if (!box) continue;
    paper.take(box, null);
    s.labels.push({ caption: caption.text, box });
  }
  for (const box of [...overlays(s, view), ...s.discs.map(discBox)]) paper.take(box, null);
  const reach = s.discs.length ? REACH.route : s.lit.size || s.picture.centre ? REACH.must : REACH.rest;
  for (const disc of s.discs) setNear(paper, stopLabel(s, disc, view), REACH.must);
  for (const n of strong) setNear(paper, nodeLabel(s, n, view.scale, { size: 14, weight: 600 }), REACH.must);
  for (const n of must) setNear(paper, nodeLabel(s, n, view.scale, { size: 12, weight: 500 }), reach);
  drawAreaNames(paper);
  for (const n of rest) setBeside(paper, nodeLabel(s, n, view.scale, { size: 12, weight: 400 }));
}

// Which names come first, which must be there, and which stand where there is room left.
function ranked(s) {
  const stops = new Set(s.discs.map((disc) => disc.id));
  const shown = (n) => n && !isHidden(s, n) && !stops.has(n.id);
  const strong = [...new Set([s.selected, s.unnamed && s.hovered, s.cursor])].map((id) => s.node.get(id)).filter(shown);
  const others = s.order.filter((n) => shown(n) && !strong.includes(n));
  if (!s.lit.size) return others.length > FEW ? { strong, must: [], rest: others } : { strong, must: others, rest: [] };
  const lit = others.filter((n) => s.lit.has(n.id));
  const same = (n) => (n.group === s.node.get(s.selected)?.group ? 0 : 1);
  return { strong, must: lit.sort((a, b) => same(a) - same(b)), rest: [] };
}

function nodeLabel(s, n, scale, { size, weight }) {
  const r = radius(s, n, scale) + (n.id === s.selected || n.id === s.cursor ? 6 : 2);
  return { id: n.id, x: n.x * scale, y: n.y * scale, r, size, weight, colour: s.theme.text, lines: wrapped(n.label) };
}

function stopLabel(s, disc, view) {
  const facts = [disc.minutes, disc.at && `from ${disc.at}`].filter(Boolean).join(" · ");
  return { id: disc.id, x: disc.x, y: disc.y, r: DISC + 3, size: view.width <= 600 ? 12 : 13, weight: 600, colour: s.theme.text, lines: [...wrapped(disc.title), facts] };
}

// The eight places around a dot and, farther and farther away, those that a thin line ties to it.
function setNear(paper, label, reach) {
  const { ctx, dots, free, drawn } = paper;
  const inSight = label.x > paper.frame[0] && label.x < paper.frame[2] && label.y > paper.frame[1] && label.y < paper.frame[3];
  if (!inSight) return;
  const size = sizeOf(paper.s, ctx, label);
  const tidy = (b, line) => free(b) && drawn.tidy(label, b, line);
  const clear = (b, line) => tidy(b, line) && !drawn.onRoute(b);
  const open = (b, line) => dots.free(b) && clear(b, line);
  const ways = reach === REACH.must ? [open, clear, tidy, free] : reach === REACH.rest ? [open, clear] : [open];
  for (const allowed of ways)
    for (const away of AWAY.filter((far) => far <= reach))
      for (const turn of paper.turns) {
        const box = boxAt(label, size, turn, away), line = leaderOf(label, box, away);
        if (allowed(box, line)) { put(paper, label, box, line); return; }
      }
}

// Four places right beside the dot; over a lesser dot only from afar.
function setBeside(paper, label) {
  const size = sizeOf(paper.s, paper.ctx, label);
  const open = TURNS.slice(0, 4).map((turn) => boxAt(label, size, turn, 0)).filter(paper.free);
  const box = open.find(paper.dots.free) || (paper.crowded ? null : open[0]);
  if (box) put(paper, label, box, null);
}

function boxAt({ x, y, r }, { width, height }, turn, away) {
  const [dx, dy] = [Math.cos(turn), Math.sin(turn)], gap = r + 3 + away;
  const flat = Math.abs(dx) < 0.1 ? 0 : Math.abs(dy) < 0.1 ? 1 : 0.5;
  const left = x + dx * gap + (flat === 0 ? -width / 2 : dx > 0 ? 0 : -width);
  const top = y + dy * gap + (flat === 1 ? -height / 2 : dy > 0 ? 0 : -height);
  return [left, top, left + width, top + height];
}

function put(paper, label, box, line) {
  const { s, ctx } = paper, [left, top, right] = box;
  paper.take(box, line);
  s.labels.push({ id: label.id, box, leader: line });
  if (line) drawLeader(ctx, line, s.theme.text);
  ctx.textAlign = right < label.x ? "right" : left > label.x ? "left" : "center";
  const at = right < label.x ? right - 2 : left > label.x ? left + 2 : (left + right) / 2;
  label.lines.forEach((text, i) => {
    ctx.font = `${label.weight} ${label.size}px ${s.theme.font}`;
    write(ctx, text, { x: at, y: top + 1 + (i + 0.5) * label.size * 1.18, colour: label.colour, halo: s.theme.ground });
  });
}

const around = (s, n, scale) => {
  const r = radius(s, n, scale);
  return [n.x * scale - r, n.y * scale - r, n.x * scale + r, n.y * scale + r];
};
const discBox = ({ x, y }) => [x - DISC - 2, y - DISC - 2, x + DISC + 2, y + DISC + 2];

// The buttons and the legend lie on the canvas: no name goes below them.
function overlays(s, view) {
  const ground = s.stage.getBoundingClientRect();
  return [s.tools, s.legend].map((part) => part.getBoundingClientRect()).filter((b) => b.width).map((b) => [
    b.left - ground.left - view.width / 2 + view.x, b.top - ground.top - view.height / 2 + view.y,
    b.right - ground.left - view.width / 2 + view.x, b.bottom - ground.top - view.height / 2 + view.y]);
}

// A label's width and height in pixels, measured once.
function sizeOf(s, ctx, { lines, size, weight }) {
  const known = `${size} ${weight} ${s.theme.font} ${lines.join("\n")}`;
  if (!s.sizes.has(known)) {
    ctx.font = `${weight} ${size}px ${s.theme.font}`;
    s.sizes.set(known, { width: Math.max(...lines.map((text) => ctx.measureText(text).width)) + 6, height: lines.length * size * 1.18 + 2 });
  }
  return s.sizes.get(known);
}

export function wrapped(label) {
  if (label.length < 24) return [label];
  const middle = label.length / 2;
  let cut = -1;
  for (let i = label.indexOf(" ", 3); i >= 0; i = label.indexOf(" ", i + 1))
    if (cut < 0 || Math.abs(i - middle) < Math.abs(cut - middle)) cut = i;
  return cut < 0 ? [label] : [label.slice(0, cut), label.slice(cut + 1)];
}
