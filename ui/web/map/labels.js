// Labels are set like those of a printed map: the weightiest first, on whichever side is free, and none over another.
// What is lit must be named: its label may move away from its dot and is then tied to it with a thin line.
import { areaColour } from "./areas.js";
import { isHidden, radius } from "./dots.js";
import { DISC } from "./route.js";
import { shelves } from "./shelves.js";
import { frameOf } from "./view.js";

const TURNS = [0, 180, 90, 270, 45, 315, 135, 225].map((degrees) => (degrees * Math.PI) / 180);
const FEW = 120;  // so few are all named without a choice, too
const AWAY = [0, 14, 28, 44, 62, 84, 110, 140, 180];  // pixels between a lit dot and its label

export function drawLabels(s, ctx, view) {
  const frame = frameOf(view), taken = shelves(), dots = shelves();
  const inFrame = (b) => b[0] > frame[0] && b[1] > frame[1] && b[2] < frame[2] && b[3] < frame[3];
  const turns = s.picture.centre ? [Math.PI / 2, ...TURNS] : TURNS;  // the names of layers stand below
  const paper = { turns, reach: s.lit.size ? 180 : 84, s, ctx, view, taken, dots, frame, free: (b) => inFrame(b) && taken.free(b), crowded: view.scale >= 0.6 };
  s.labels = [];
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  const { strong, must, rest } = ranked(s);
  for (const n of [...strong, ...must, ...rest]) dots.add(around(s, n, view.scale));
  for (const caption of s.picture.captions) setCaption(paper, caption);
  for (const box of [...overlays(s, view), ...s.discs.map(discBox)]) taken.add(box);
  for (const p of s.curve || []) dots.add([p.x - 4, p.y - 4, p.x + 4, p.y + 4]);
  for (const disc of s.discs) setNear(paper, stopLabel(s, disc));
  for (const n of strong) setNear(paper, nodeLabel(s, n, view.scale, { size: 14, weight: 600 }));
  for (const n of must) setNear(paper, nodeLabel(s, n, view.scale, { size: 12, weight: 500 }));
  setAreas(paper);
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

function stopLabel(s, disc) {
  const facts = [disc.minutes, disc.at && `from ${disc.at}`].filter(Boolean).join(" · ");
  return { id: disc.id, x: disc.x, y: disc.y, r: DISC + 3, size: 13, weight: 600, colour: s.theme.text, lines: [...wrapped(disc.title), facts] };
}

// The eight places around a dot and, farther and farther away, those that a thin line ties to it.
function setNear(paper, label) {
  const { ctx, dots, free } = paper;
  const inSight = label.x > paper.frame[0] && label.x < paper.frame[2] && label.y > paper.frame[1] && label.y < paper.frame[3];
  if (!inSight) return;
  const size = sizeOf(paper.s, ctx, label);
  for (const tidy of [(b) => free(b) && dots.free(b), free])
    for (const away of AWAY.filter((far) => far <= paper.reach))
      for (const turn of paper.turns) {
        const box = boxAt(label, size, turn, away);
        if (tidy(box)) { put(paper, label, box, away); return; }
      }
}

// Four places right beside the dot; over a lesser dot only from afar.
function setBeside(paper, label) {
  const size = sizeOf(paper.s, paper.ctx, label);
  const open = TURNS.slice(0, 4).map((turn) => boxAt(label, size, turn, 0)).filter(paper.free);
  const box = open.find(paper.dots.free) || (paper.crowded ? null : open[0]);
  if (box) put(paper, label, box, 0);
}

function boxAt({ x, y, r }, { width, height }, turn, away) {
  const [dx, dy] = [Math.cos(turn), Math.sin(turn)], gap = r + 3 + away;
  const flat = Math.abs(dx) < 0.1 ? 0 : Math.abs(dy) < 0.1 ? 1 : 0.5;
  const left = x + dx * gap + (flat === 0 ? -width / 2 : dx > 0 ? 0 : -width);
  const top = y + dy * gap + (flat === 1 ? -height / 2 : dy > 0 ? 0 : -height);
  return [left, top, left + width, top + height];
}

function put({ s, ctx, taken }, label, box, away) {
  taken.add(box);
  s.labels.push({ id: label.id, box });
  const [left, top, right, bottom] = box;
  if (away > 14) {
    const [tx, ty] = [Math.min(right, Math.max(left, label.x)), Math.min(bottom, Math.max(top, label.y))];
    const far = Math.hypot(tx - label.x, ty - label.y) || 1;
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.65;
    ctx.strokeStyle = s.theme.text;
    ctx.beginPath();
    ctx.moveTo(label.x + ((tx - label.x) * label.r) / far, label.y + ((ty - label.y) * label.r) / far);
    ctx.lineTo(tx, ty);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
  ctx.textAlign = right < label.x ? "right" : left > label.x ? "left" : "center";
  const at = right < label.x ? right - 2 : left > label.x ? left + 2 : (left + right) / 2;
  label.lines.forEach((text, i) => {
    ctx.font = `${label.weight} ${label.size}px ${s.theme.font}`;
    write(ctx, text, { x: at, y: top + (i + 0.5) * label.size * 1.18, colour: label.colour, halo: s.theme.ground });
  });
}

export function write(ctx, text, { x, y, colour, halo }) {
  ctx.strokeStyle = halo;
  ctx.lineWidth = 3.5;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

// The names of areas, wherever room is left; fainter while something is lit.
function setAreas({ s, ctx, view, taken, free }) {
  const small = view.width <= 600;
  ctx.textAlign = "center";
  ctx.font = `700 ${small ? 11 : 12}px ${s.theme.font}`;
  ctx.globalAlpha = s.lit.size ? 0.5 : 1;
  for (const { name, hue, places, members } of s.areas) {
    const text = small && !s.lit.size ? `${name} ${members.length}` : name.toUpperCase();
    const width = ctx.measureText(text).width;
    for (const place of places) {
      const [x, y] = [place.x * view.scale, place.y * view.scale];
      const box = [x - width / 2 - 4, y - 8, x + width / 2 + 4, y + 8];
      if (!free(box)) continue;
      taken.add(box);
      s.labels.push({ area: name, box });
      write(ctx, text, { x, y, colour: areaColour(s, hue), halo: s.theme.ground });
      break;
    }
  }
  ctx.globalAlpha = 1;
}

// Words of the picture itself, such as years.
function setCaption({ s, ctx, view, taken }, caption) {
  ctx.font = `700 12px ${s.theme.font}`;
  ctx.textAlign = caption.ends ? "right" : "center";
  const [x, y, width] = [caption.x * view.scale, caption.y * view.scale, ctx.measureText(caption.text).width];
  taken.add([caption.ends ? x - width : x - width / 2, y - 8, caption.ends ? x : x + width / 2, y + 8]);
  write(ctx, caption.text, { x, y, colour: s.theme.line, halo: s.theme.ground });
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
    s.sizes.set(known, { width: Math.max(...lines.map((text) => ctx.measureText(text).width)) + 4, height: lines.length * size * 1.18 });
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
