// Concepts are dots, episodes are squares. They grow with the root of the zoom, so that they neither vanish nor swell.
import { frameOf } from "./view.js";

const MOST = 9, RIM = MOST + 2;  // the radius of the largest dot, and with its rim, in pixels

export function radius(s, n, scale) {
  const least = s.lit.has(n.id) ? 4 : 1.7;
  return Math.min(MOST, Math.max(least, n.size * 0.56 * Math.sqrt(scale)));
}

// Opacities at which what is faded is still seen: its contrast is 1.7 on a light ground, and 2 on a dark one.
const FADED = { light: 0.4, dark: 0.35 }, HAD = 0.65;  // of what is known or heard

export function strength(s, n) {
  if (!s.lit.size || s.lit.has(n.id)) return 1;
  return s.known.has(n.id) || s.heard.has(n.id) ? HAD : FADED[s.theme.dark ? "dark" : "light"];
}

export function isHidden(s, n) {
  return s.hidden.has(n.group) && n.id !== s.selected;
}

// Draw the dots in the frame, and those whose rim is.
export function drawDots(s, ctx, view) {
  const [left, top, right, bottom] = frameOf(view, -RIM).map((side) => side / view.scale);
  for (const n of s.picture.nodes) if (n.x > left && n.x < right && n.y > top && n.y < bottom) drawDot(s, ctx, n, view.scale);
}

// What is heard is hollow, and so is a concept of a route that is not yet known: filled means that one has it.
function drawDot(s, ctx, n, scale) {
  if (isHidden(s, n)) return;
  const r = radius(s, n, scale) / scale;
  const hollow = n.group === "episode" ? s.heard.has(n.id) : s.stops.length && s.lit.has(n.id) && !s.known.has(n.id);
  ctx.globalAlpha = strength(s, n);
  ctx.beginPath();
  if (n.group === "episode") ctx.rect(n.x - r * 0.9, n.y - r * 0.9, r * 1.8, r * 1.8);
  else ctx.arc(n.x, n.y, r, 0, 2 * Math.PI);
  ctx.fillStyle = hollow ? s.theme.ground : s.theme[n.group];
  ctx.fill();
  ctx.lineWidth = (hollow ? 1.6 : 1) / scale;
  ctx.strokeStyle = hollow ? s.theme[n.group] : s.theme.ground;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

export function drawRing(s, ctx, n, scale, around = 4) {
  ctx.strokeStyle = s.theme.accent;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  ctx.arc(n.x * scale, n.y * scale, radius(s, n, scale) + around, 0, 2 * Math.PI);
  ctx.stroke();
}
