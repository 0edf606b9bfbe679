// The view: which part of the map is in the frame, and how that changes.
const FOOT = 30; // the legend, in pixels
const GROUND = 60; // around the map, in pixels
const BOX = 100; // from the middle of a box to the ground beyond its side, in units of the map
const READABLE = 0.85; // the least scale at which a picture of boxes begins: letters of 12 pixels
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const VIEW = "atlas-view"; // the view in the memory of the browser's tab

// How many pixels beside the lanes are kept for their captions.
const laneRoom = ({ width }) => Math.min(220, width * (width <= 600 ? 0.4 : 0.34));

// The part of the map inside the frame, in pixels of the screen whose origin is the map's.
function viewOf(s) {
  const scale = s.net.getScale();
  const middle = s.net.getViewPosition();
  return { scale, x: middle.x * scale, y: middle.y * scale, width: s.host.clientWidth, height: s.host.clientHeight };
}

const frameOf = ({ x, y, width: w, height: h }, m = 4) => [x - w / 2 + m, y - h / 2 + m, x + w / 2 - m, y + h / 2 - m];

// Show these points, with `room` pixels around them, `aside` for captions and `foot` for the legend, at a scale from
// `least` to `most`; no empty ground beside the map where it could fill the frame.
function fitTo(s, points, { room = 40, aside = 0, foot = 0, most = 1.2, least = 0 } = {}) {
  if (!points.length) return;
  const [left, right, top, bottom] = bounds(points);
  const { clientWidth, clientHeight } = s.host;
  const across = Math.max(60, clientWidth - 2 * room - aside);
  const down = Math.max(60, clientHeight - 2 * room - foot);
  const scale = Math.max(least, Math.min(most, across / Math.max(1, right - left), down / Math.max(1, bottom - top)));
  const isTooWide = (right - left) * scale > across + 1; // then the beginning is shown
  const x = isTooWide ? left + (clientWidth / 2 - room - aside) / scale : (left + right) / 2 - aside / 2 / scale;
  const position = within(s, { x, y: (top + bottom) / 2 + foot / 2 / scale }, scale, GROUND, foot);
  s.gliding = s.glides && !STILL.matches;
  s.net.moveTo({ position, scale, animation: s.gliding && { duration: 300 } });
}

function bounds(points) {
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

// The nearest place to look at from which the frame holds as much of the map as it can.
function within(s, place, scale, rim, foot = 0) {
  if (s.picture.captions.length || s.picture.centre) return place;
  const [left, right, top, bottom] = bounds(s.picture.nodes);
  const held = (at, from, to, size) => {
    const least = from - rim / scale + size / 2 / scale;
    const most = to - size / 2 / scale;
    return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at));
  };
  const x = held(place.x, left, right + rim / scale, s.host.clientWidth);
  return { x, y: held(place.y, top, bottom + (rim + foot) / scale, s.host.clientHeight) };
}

function fit(s) {
  const { boxed, nodes, captions, centre } = s.picture;
  const aside = laneRoom({ width: s.host.clientWidth }) - 50;
  if (boxed) s.net.fit({ animation: false, maxZoomLevel: 1 });
  else if (centre) fitTo(s, nodes, { foot: 2 * FOOT });
  else if (!captions.length) fitTo(s, nodes, { room: 24, foot: FOOT });
  else fitTo(s, [...nodes, ...captions], { room: 60, aside, foot: FOOT, least: 0.09 }); // captions stand apart
}

// Show the route, where there is one, or what is lit; else the whole.
function fitState(s) {
  const width = s.host.clientWidth;
  const at = (ids, room, most) => fitTo(s, ids.map((id) => s.node.get(id)), { room, most, foot: FOOT });
  if (s.stops.length) at(wanted(s), Math.min(110, width / 5), 0.9);
  else if (s.picture.boxed) fitBoxes(s);
  else if (s.lit.size && s.order.length > s.lit.size) at(wanted(s), Math.min(120, width / 8), 0.5);
  else fit(s);
}

// What belongs into the frame: a route or what is lit, and the choice.
function wanted(s) {
  const opened = s.picture.nodes.filter((n) => n.opened).map((n) => n.id); // a group of a large map
  const ids = s.stops.length ? s.stops.map(({ id }) => id) : [...s.lit, ...opened];
  return [...new Set([...ids, s.selected])].filter((id) => s.node.has(id));
}

// Glide to all that belongs into the frame, where some of it is out of sight or a glide would take it there.
function follow(s) {
  if (!s.gliding && wanted(s).every((id) => inSight(s, s.node.get(id), 8))) return;
  s.glides = true;
  fitState(s);
  s.glides = false;
}

// Show all boxes or, where their letters would be too small, the place with the most of them and with the chosen one.
function fitBoxes(s) {
  fit(s);
  if (s.net.getScale() >= READABLE) return;
  const wide = s.host.clientWidth / 2 / READABLE - BOX * 0.75;
  const high = s.host.clientHeight / 2 / READABLE - BOX / 4;
  const sees = (place) => (n) => Math.abs(n.x - place.x) <= wide && Math.abs(n.y - place.y) <= high;
  const count = (place) => s.order.filter(sees(place)).length;
  const chosen = s.node.get(s.selected);
  const places = [chosen, ...s.order].filter(Boolean).map((n) => within(s, n, READABLE, BOX * READABLE));
  const open = places.filter((place, i) => !chosen || !i || sees(place)(chosen));
  const position = leastOf(open, (place) => -count(place));
  s.net.moveTo({ position, scale: READABLE, animation: false });
}

function zoom(s, by) {
  const focus = s.node.get(s.selected);
  const [now, middle] = [s.net.getScale(), s.net.getViewPosition()];
  const scale = limited(now * by);
  const held = (axis) => focus[axis] + (middle[axis] - focus[axis]) * (now / scale); // the choice stays where it is
  s.net.moveTo(focus && inSight(s, focus) ? { scale, position: { x: held("x"), y: held("y") } } : { scale });
}

const limited = (scale) => Math.min(4, Math.max(0.02, scale));

function inSight(s, at, margin = 0) {
  const { x, y } = s.net.canvasToDOM(at);
  return x >= margin && y >= margin && x <= s.host.clientWidth - margin && y <= s.host.clientHeight - margin;
}

// Move no more than needed to see a node.
function reveal(s, id, margin = 0) {
  const at = s.node.get(id);
  if (at && !inSight(s, at, margin)) s.net.moveTo({ position: { x: at.x, y: at.y } });
}

// The view survives a reload of the page; of another picture, choice or route it is worked out anew.
const viewKey = ({ picture, host: { dataset } }) =>
  [location.pathname, picture.rev, dataset.selected, dataset.route].join(" ");

function keepView(s, signal) {
  const view = () => ({ of: viewKey(s), scale: s.net.getScale(), position: s.net.getViewPosition() });
  addEventListener("pagehide", () => sessionStorage.setItem(VIEW, JSON.stringify(view())), { signal });
}

function keptView(s) {
  const kept = JSON.parse(sessionStorage.getItem(VIEW) || "null");
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  if (!again || kept?.of !== viewKey(s)) return null;
  sessionStorage.removeItem(VIEW);
  return kept;
}
