const FOOT = 30;  // the legend, in pixels

// Where one looks: the part of the map inside the frame, in pixels of the screen whose origin is the map's.
export function viewOf(s) {
  const scale = s.net.getScale(), middle = s.net.getViewPosition();
  return { scale, x: middle.x * scale, y: middle.y * scale, width: s.host.clientWidth, height: s.host.clientHeight };
}

// Draw in pixels of the screen: an object at (x, y) of the map stands at (x * scale, y * scale).
export function inPixels(ctx, scale, paint) {
  ctx.save();
  ctx.scale(1 / scale, 1 / scale);
  paint();
  ctx.restore();
}

export function frameOf({ x, y, width, height }, margin = 4) {
  const [half, tall] = [width / 2 - margin, height / 2 - margin];
  return [x - half, y - tall, x + half, y + tall];
}

// Show these points, with `room` pixels around them for names, `left` for captions and `foot` for the legend,
// no nearer than `most`.
export function fitTo(s, points, { room = 40, left: aside = 0, foot = 0, most = 1.2 } = {}) {
  if (!points.length) return;
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = Math.max(60, s.host.clientWidth - 2 * room - aside), down = Math.max(60, s.host.clientHeight - 2 * room - foot);
  const scale = Math.min(most, across / Math.max(1, right - left), down / Math.max(1, bottom - top));
  const position = { x: (left + right) / 2 - aside / 2 / scale, y: (top + bottom) / 2 + foot / 2 / scale };
  s.net.moveTo({ position, scale, animation: false });
}

export function fit(s) {
  const { boxed, nodes, captions, centre } = s.picture;
  if (boxed) s.net.fit({ animation: false, maxZoomLevel: 1 });
  else if (centre) fitTo(s, nodes, { room: 40, foot: 2 * FOOT });
  else fitTo(s, [...nodes, ...captions], { room: captions.length ? 60 : 24, left: captions.length ? 110 : 0, foot: FOOT });
}

// Show the route, where there is one, or what is lit; else the whole.
export function fitState(s) {
  const route = s.stops.map((stop) => s.node.get(stop.id)), lit = [...s.lit].map((id) => s.node.get(id));
  if (route.length) fitTo(s, route, { room: Math.min(110, s.host.clientWidth / 5), foot: FOOT, most: 0.9 });
  else if (lit.length && s.order.length > lit.length) fitTo(s, lit, { room: 120, foot: FOOT, most: 0.5 });
  else fit(s);
}

export function zoom(s, by) {
  const focus = s.node.get(s.selected), now = s.net.getScale(), middle = s.net.getViewPosition();
  const scale = Math.min(4, Math.max(0.02, now * by));
  if (!focus || !inSight(s, focus)) { s.net.moveTo({ scale }); return; }
  const keep = (which) => focus[which] + (middle[which] - focus[which]) * (now / scale);  // the choice stays where it is
  s.net.moveTo({ scale, position: { x: keep("x"), y: keep("y") } });
}

export function inSight(s, at, margin = 0) {
  const { x, y } = s.net.canvasToDOM(at);
  return x >= margin && y >= margin && x <= s.host.clientWidth - margin && y <= s.host.clientHeight - margin;
}

// Move no more than needed to see a node.
export function reveal(s, id, margin = 0) {
  const at = s.node.get(id);
  if (at && !inSight(s, at, margin)) s.net.moveTo({ position: { x: at.x, y: at.y } });
}
