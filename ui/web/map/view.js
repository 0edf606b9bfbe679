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

// Show these points, with `room` pixels around them for names, no nearer than `most`.
export function fitTo(s, points, { room = 40, most = 1.2 } = {}) {
  if (!points.length) return;
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = Math.max(60, s.host.clientWidth - 2 * room), down = Math.max(60, s.host.clientHeight - 2 * room);
  const scale = Math.min(most, across / Math.max(1, right - left), down / Math.max(1, bottom - top));
  s.net.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale, animation: false });
}

export function fit(s) {
  if (s.picture.boxed) s.net.fit({ animation: false, maxZoomLevel: 1 });
  else fitTo(s, s.picture.nodes, { room: 24 });
}

// Show the route, where there is one; else the whole.
export function fitState(s) {
  const route = s.stops.map((stop) => s.node.get(stop.id));
  if (route.length) fitTo(s, route, { room: Math.min(110, s.host.clientWidth / 5), most: 0.9 });
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
