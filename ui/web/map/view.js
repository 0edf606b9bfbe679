const FOOT = 30, RIM = 60;  // the legend, and the ground around the map, in pixels
const BOX = 100;  // from the middle of a box to the ground beyond its side, in units of the map
const READABLE = 0.85;  // the least scale at which a picture of boxes begins: letters of 12 pixels
const LANE = 0.09;  // the least scale at which the captions of lanes stand apart

// How many pixels beside the lanes are kept for their captions.
export function laneRoom({ width }) {
  return Math.min(220, width * (width <= 600 ? 0.4 : 0.34));
}

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
// no nearer than `most` and no farther than `least`; no empty ground beside the map where it could fill the frame.
export function fitTo(s, points, { room = 40, left: aside = 0, foot = 0, most = 1.2, least = 0 } = {}) {
  if (!points.length) return;
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = Math.max(60, s.host.clientWidth - 2 * room - aside), down = Math.max(60, s.host.clientHeight - 2 * room - foot);
  const scale = Math.max(least, Math.min(most, across / Math.max(1, right - left), down / Math.max(1, bottom - top)));
  const x = (right - left) * scale > across + 1  // too wide: show the beginning
    ? left + (s.host.clientWidth / 2 - room - aside) / scale
    : (left + right) / 2 - aside / 2 / scale;
  const position = within(s, { x, y: (top + bottom) / 2 + foot / 2 / scale }, scale, { foot });
  s.net.moveTo({ position, scale, animation: false });
}

// The nearest place to look at from which the frame holds as much of the map as it can.
function within(s, { x, y }, scale, { foot = 0, rim = RIM }) {
  const { nodes, captions, centre } = s.picture;
  if (captions.length || centre) return { x, y };
  const held = (at, ends, half, [before, after]) => {
    const [least, most] = [Math.min(...ends) - before / scale + half, Math.max(...ends) + after / scale - half];
    return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at));
  };
  return {
    x: held(x, nodes.map((n) => n.x), s.host.clientWidth / 2 / scale, [rim, rim]),
    y: held(y, nodes.map((n) => n.y), s.host.clientHeight / 2 / scale, [rim, rim + foot]),
  };
}

export function fit(s) {
  const { boxed, nodes, captions, centre } = s.picture;
  if (boxed) s.net.fit({ animation: false, maxZoomLevel: 1 });
  else if (centre) fitTo(s, nodes, { room: 40, foot: 2 * FOOT });
  else fitTo(s, [...nodes, ...captions], { room: captions.length ? 60 : 24, left: captions.length ? laneRoom({ width: s.host.clientWidth }) - 50 : 0, foot: FOOT, least: captions.length ? LANE : 0 });
}

// Show all boxes or, where their letters would be too small, the place with the most of them and with the chosen one.
function fitBoxes(s) {
  fit(s);
  if (s.net.getScale() < READABLE) s.net.moveTo({ position: fullest(s), scale: READABLE, animation: false });
}

function fullest(s) {
  const [wide, high] = [s.host.clientWidth / 2 / READABLE - BOX * 0.75, s.host.clientHeight / 2 / READABLE - BOX / 4];
  const sees = (place) => (n) => Math.abs(n.x - place.x) <= wide && Math.abs(n.y - place.y) <= high;
  const place = (n) => within(s, n, READABLE, { rim: BOX * READABLE }), chosen = s.node.get(s.selected);
  const open = [...(chosen ? [chosen] : []), ...s.order].map(place).filter((at, i) => !chosen || !i || sees(at)(chosen));
  const counted = open.map((at) => [s.picture.nodes.filter(sees(at)).length, at]);
  return counted.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

// Whether a part of the picture begins out of sight.
export function isCut(s) {
  return s.picture.boxed && s.net.getScale() >= READABLE && s.picture.nodes.some((n) => !inSight(s, n));
}

// Show the route, where there is one, or what is lit; else the whole.
export function fitState(s) {
  const route = s.stops.map((stop) => s.node.get(stop.id)), lit = [...s.lit].map((id) => s.node.get(id));
  if (route.length) fitTo(s, route, { room: Math.min(110, s.host.clientWidth / 5), foot: FOOT, most: 0.9 });
  else if (s.picture.boxed) fitBoxes(s);
  else if (lit.length && s.order.length > lit.length) fitTo(s, lit, { room: Math.min(120, s.host.clientWidth / 8), foot: FOOT, most: 0.5 });
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
