// Lines, in pixels of the screen. At rest: what comes first, thin and grey. With a choice: its own lines, by what they
// mean for it.
import { isHidden, radius } from "./dots.js";

export const LOOKS = {
  first: { colour: "line", width: 0.8, dash: [], words: "comes before" },
  needs: { colour: "concept", width: 2.2, dash: [], head: true, words: "needs first" },
  leads: { colour: "leads", width: 1.8, dash: [8, 4], head: true, words: "leads to" },
  explains: { colour: "episode", width: 1.8, dash: [], words: "explained in" },
  related: { colour: "related", width: 1.8, dash: [2, 4], words: "related" },
  after: { colour: "text", width: 1.4, dash: [8, 3, 2, 3], head: true, words: "listen after" },
  other: { colour: "line", width: 1.2, dash: [1, 3], words: "other tie" },
};
const AT_REST = { first: 0.4, explains: 0.45, related: 0.3, after: 0.9, other: 0.35 };  // how strong without a choice
const KINDS = { TEACHES: "explains", RELATED_TO: "related", LISTEN_AFTER: "after" };

export function lookOf(line, selected) {
  if (line.kind !== "REQUIRES" && line.kind !== "ASSUMES") return KINDS[line.kind] || "other";
  return line.to === selected ? "needs" : line.from === selected ? "leads" : "first";
}

// {line, look, bright} of all that is drawn now: with a choice its own lines, without one those that are not quiet.
export function linesDrawn(s) {
  const shown = ({ line }) => !isHidden(s, s.node.get(line.from)) && !isHidden(s, s.node.get(line.to));
  const drawn = (line, bright) => ({ line, look: lookOf(line, s.selected), bright });
  if (s.picture.centre) return s.picture.edges.map((line) => drawn(line, touches(line, s.selected))).filter(shown);
  if (s.lit.size && !s.selected) return [];
  if (!s.selected) return s.picture.edges.filter((line) => atRest(s, line)).map((line) => drawn(line, false)).filter(shown);
  const own = s.linesAt.get(s.selected).filter((line) => s.lit.has(line.from) && s.lit.has(line.to));
  return [...own, ...unstored(s)].map((line) => drawn(line, true)).filter(shown);
}

// Without a choice, what comes first and who explains it is drawn within areas only: a thousand long lines say nothing.
function atRest(s, line) {
  const within = s.node.get(line.from).area === s.node.get(line.to).area;
  return !line.quiet && (within || line.kind === "RELATED_TO" || line.kind === "LISTEN_AFTER");
}

function touches(line, id) {
  return line.from === id || line.to === id;
}

// An episode may be related without a line in the graph: the nearest six are shown, fewer are stored.
function unstored(s) {
  if (s.node.get(s.selected).group !== "episode") return [];
  const joined = new Set(s.linesAt.get(s.selected).flatMap((line) => [line.from, line.to]));
  return [...s.lit].filter((id) => !joined.has(id) && s.node.get(id).group === "episode" && id !== s.selected)
    .map((id) => ({ from: s.selected, to: id, kind: "RELATED_TO" }));
}

export function drawLines(s, ctx, scale) {
  const groups = new Map();
  for (const { line, look, bright } of linesDrawn(s).sort((a, b) => a.bright - b.bright)) {
    if (s.hidden.has(look)) continue;
    const key = `${look} ${bright}`;
    if (!groups.has(key)) groups.set(key, { look, bright, ends: [] });
    groups.get(key).ends.push(ended(s, line, scale));
  }
  for (const group of groups.values()) drawGroup(s, ctx, group);
  ctx.globalAlpha = 1;
}

function drawGroup(s, ctx, { look, bright, ends }) {
  const { colour, width, dash, head } = LOOKS[look];
  ctx.strokeStyle = ctx.fillStyle = s.theme[colour];
  ctx.lineWidth = bright ? width : look === "after" ? 1.2 : 0.8;
  ctx.globalAlpha = bright ? 0.95 : AT_REST[look];
  ctx.setLineDash(dash);
  ctx.beginPath();
  for (const [a, b] of ends) { ctx.moveTo(a.x, a.y); ctx.lineTo(b.x, b.y); }
  ctx.stroke();
  ctx.setLineDash([]);
  if (head && (bright || look === "after")) for (const [a, b] of ends) drawHead(ctx, a, b);
}

// Both ends at the rims of their dots, in pixels.
function ended(s, line, scale) {
  const [m, n] = [s.node.get(line.from), s.node.get(line.to)];
  const [a, b] = [m, n].map((p) => ({ x: p.x * scale, y: p.y * scale }));
  const far = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
  const [ux, uy] = [(b.x - a.x) / far, (b.y - a.y) / far];
  const [from, to] = [radius(s, m, scale) + 1, radius(s, n, scale) + 3];
  return [{ x: a.x + ux * from, y: a.y + uy * from }, { x: b.x - ux * to, y: b.y - uy * to }];
}

function drawHead(ctx, a, b) {
  const turn = Math.atan2(b.y - a.y, b.x - a.x);
  ctx.beginPath();
  ctx.moveTo(b.x, b.y);
  for (const side of [2.7, -2.7]) ctx.lineTo(b.x + 9 * Math.cos(turn + side), b.y + 9 * Math.sin(turn + side));
  ctx.fill();
}
