// A route: a line through numbered discs, in the order of listening.
export const DISC = 11;  // pixels
const APART = 2 * DISC + 5;

// Give each stop the place of its disc in pixels: at its node, moved just so far that no two discs touch.
export function discsOf(stops, scale) {
  const discs = stops.map((stop, i) => ({ ...stop, x: stop.at_x * scale + i * 1e-3, y: stop.at_y * scale }));
  for (let turn = 0; turn < 200; turn++) {
    let moved = false;
    for (let i = 0; i < discs.length; i++) for (let j = 0; j < i; j++) {
      const [a, b] = [discs[i], discs[j]], [dx, dy] = [a.x - b.x, a.y - b.y], far = Math.hypot(dx, dy);
      if (far >= APART - 0.01) continue;
      const push = (APART - far) / 2 / Math.max(far, 1e-6);
      a.x += dx * push; a.y += dy * push; b.x -= dx * push; b.y -= dy * push;
      moved = true;
    }
    if (!moved) break;
  }
  return discs;
}

// Points along a smooth line through the discs: a Catmull-Rom spline (1974), sixteen to a stretch.
export function curveThrough(points) {
  if (points.length < 2) return points.slice();
  const found = [points[0]];
  for (let i = 0; i + 1 < points.length; i++) {
    const [b, c] = [points[i], points[i + 1]], a = points[i - 1] || b, d = points[i + 2] || c;
    for (let step = 1; step <= 16; step++) {
      const t = step / 16;
      const at = (k) => 0.5 * (2 * b[k] + (c[k] - a[k]) * t + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t ** 3);
      found.push({ x: at("x"), y: at("y") });
    }
  }
  return found;
}

export function drawRoute(s, ctx, scale) {
  s.discs = s.hidden.has("route") ? [] : discsOf(s.stops.map((stop) => ({ ...stop, at_x: s.node.get(stop.id).x, at_y: s.node.get(stop.id).y })), scale);
  s.curve = curveThrough(s.discs);
  if (!s.discs.length) return;
  ctx.lineJoin = ctx.lineCap = "round";
  for (const [width, colour] of [[8, s.theme.ground], [4, s.theme.episode]]) {
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    s.curve.forEach((p, i) => (i ? ctx.lineTo(p.x, p.y) : ctx.moveTo(p.x, p.y)));
    ctx.stroke();
  }
  for (const disc of s.discs) drawDisc(s, ctx, disc);
}

function drawDisc(s, ctx, disc) {
  const hollow = s.heard.has(disc.id);
  if (disc.n === s.pulsed) {
    ctx.beginPath();
    ctx.arc(disc.x, disc.y, DISC + 5 + 4 * (s.beat || 0), 0, 2 * Math.PI);
    ctx.lineWidth = 3;
    ctx.strokeStyle = s.theme.accent;
    ctx.stroke();
  }
  ctx.beginPath();
  ctx.arc(disc.x, disc.y, DISC, 0, 2 * Math.PI);
  ctx.fillStyle = hollow ? s.theme.ground : s.theme.episode;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = hollow ? s.theme.episode : s.theme.ground;
  ctx.stroke();
  ctx.fillStyle = hollow ? s.theme.text : s.theme.dark ? "#14171C" : "#FFFFFF";
  ctx.font = `700 12px ${s.theme.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(String(disc.n), disc.x, disc.y + 0.5);
}
