// Mouse, fingers and keys on the map, and the rows of the page that belong to the stops of a route.

const POINTER = 6; // so near, in pixels, a click or
const FINGER = 22; // a finger takes the nearest dot
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// A click chooses, pointing shows a tooltip. The wheel scrolls the page until somebody turns to the map.
function listenToPointer(s, signal) {
  const on = (name, act) => s.host.addEventListener(name, act, { signal });
  const wheel = (zoomView) => !s.touch && s.net.setOptions({ interaction: { zoomView } });
  s.net.on("click", (e) => clicked(s, e));
  on("pointermove", (e) => e.pointerType !== "touch" && !e.buttons && hover(s, e));
  on("pointerleave", () => hover(s, null));
  on("pointerdown", () => s.host.focus({ preventScroll: true }));
  on("focusin", () => wheel(true));
  on("focusout", (e) => wheel(s.host.contains(e.relatedTarget)));
}

function clicked(s, e) {
  const finger = e.event?.pointerType === "touch" || e.event?.srcEvent?.pointerType === "touch";
  const { id, area } = pickAt(s, e.pointer.DOM, finger ? FINGER : POINTER);
  const farAway = s.host.clientWidth <= 600 && s.net.getScale() < 0.2; // a finger covers several dots: it means the area
  const name = finger && farAway ? area || s.node.get(id)?.area : !id && area;
  const whole = s.areas.find((found) => found.name === name);
  if (whole && s.picture.hidden) s.trigger("area", whole.name);
  else if (whole && !s.lit.size) fitTo(s, whole.members, { room: 50, most: 0.9 });
  else choose(s, id);
}

// What lies under a point of the frame: a stop, a dot, a name, the nearest dot within reach, or an area's name.
function pickAt(s, point, reach) {
  if (s.picture.boxed) return { id: s.net.getNodeAt(point) };
  const view = viewOf(s);
  const x = view.x + point.x - view.width / 2;
  const y = view.y + point.y - view.height / 2;
  const rim = (n) => {
    const middle = Math.hypot(n.x * view.scale - x, n.y * view.scale - y);
    return isHidden(s, n) ? Infinity : middle - radius(s, n, view.scale) + (strength(s, n) < 1 ? 3 : 0);
  };
  const dot = leastOf(s.picture.nodes, rim);
  const disc = s.discs.find((d) => Math.hypot(d.x - x, d.y - y) <= DISC + 2);
  if (disc) return { id: disc.id, n: disc.n };
  if (dot && rim(dot) <= 1) return { id: dot.id };
  const label = s.labels.find(({ box }) => inside({ x, y }, box));
  if (label?.id) return { id: label.id, n: s.discs.find((d) => d.id === label.id)?.n };
  return { id: dot && rim(dot) <= reach ? dot.id : undefined, area: label?.area };
}

// Point at what lies there; without an event the pointer has left the map.
function hover(s, e) {
  const { left, top } = s.host.getBoundingClientRect();
  const point = e && { x: e.clientX - left, y: e.clientY - top };
  const { id, n, area } = e ? pickAt(s, point, POINTER) : {};
  s.host.classList.toggle("over", Boolean(id || area));
  if (!e) s.tip.hidden = true;
  const around = area || (point && !s.picture.boxed && groundAt(s, point));
  if ((id || null) === (s.hovered || null) && around === s.pointedArea) return;
  Object.assign(s, { hovered: id, pointedArea: around });
  s.unnamed = !s.labels.some((label) => label.id === id); // a name that stands already must not run from the pointer
  pulse(s, n || null);
  if (e) showTip(s, s.node.get(id), point);
  s.net.redraw();
}

// The area on whose ground a point of the frame lies, undefined beside all.
function groundAt(s, point) {
  const place = s.net.DOMtoCanvas(point);
  const near = nearestOf(s.picture.nodes, place);
  return near && apart(near, place) < COAST ? near.area : undefined;
}

function showTip({ tip, stage }, n, { x, y }) {
  tip.hidden = !n;
  tip.textContent = n?.tip;
  const above = Math.max(4, y - tip.offsetHeight - 12);
  tip.style.left = `${Math.max(4, Math.min(x + 14, stage.clientWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > stage.clientHeight ? above : y + 18}px`;
}

// Fingers: one scrolls the page, two move and zoom the map.
function listenToTouch(s, signal) {
  let last = null;
  const pair = ([a, b]) => ({
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
  });
  const pinch = (now) => {
    const { left, top, width, height } = s.host.getBoundingClientRect();
    const [before, middle] = [s.net.getScale(), s.net.getViewPosition()];
    const scale = limited(before * (now.apart / last.apart));
    const place = (axis, centre) => middle[axis] + (last[axis] - centre) / before - (now[axis] - centre) / scale;
    const position = { x: place("x", left + width / 2), y: place("y", top + height / 2) };
    s.net.moveTo({ scale, position, animation: false }); // what lay between the fingers stays between them
  };
  const start = (e) => {
    if (!s.touch) s.net.setOptions({ interaction: { dragView: false, zoomView: false } });
    s.touch = true;
    last = e.touches.length === 2 ? pair(e.touches) : null;
  };
  const move = (e) => {
    if (e.touches.length !== 2) return;
    e.preventDefault(); // the page must not scroll along
    const now = pair(e.touches);
    if (last) pinch(now);
    last = now;
  };
  s.host.addEventListener("touchstart", start, { signal, capture: true, passive: true });
  s.host.addEventListener("touchmove", move, { signal, passive: false });
}

// Arrows go to the nearest in that direction, [ and ] through what a node needs and leads to.
function listenToKeys(s, signal) {
  const acts = {
    "[": () => go(s, along(s, "to", "from")),
    "]": () => go(s, along(s, "from", "to")),
    Enter: () => choose(s, s.cursor),
    Escape: () => choose(s, null),
    "+": () => zoom(s, 1.4),
    "-": () => zoom(s, 1 / 1.4),
    0: () => fit(s),
  };
  for (const [key, way] of Object.entries(ARROWS)) acts[key] = () => go(s, towards(s, way));
  Object.assign(acts, { "=": acts["+"], Home: acts[0] });
  const press = (e) => {
    const passes = e.ctrlKey || e.metaKey || e.altKey || (e.key === "Enter" && !s.cursor);
    if (passes || !Object.hasOwn(acts, e.key)) return;
    acts[e.key]();
    e.preventDefault();
  };
  s.host.addEventListener("keydown", press, { signal });
}

function go(s, id) {
  if (!id) return;
  s.cursor = id;
  say(s, id);
  reveal(s, id, 40);
  s.net.redraw();
}

// The nearest node within a quarter turn of a direction, where sideways counts double; at first that in the middle.
function towards(s, [dx, dy]) {
  const from = s.node.get(s.cursor || s.selected);
  const start = from || s.net.getViewPosition();
  const far = (n) => {
    const [x, y] = [n.x - start.x, n.y - start.y];
    const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
    if (isHidden(s, n) || (from && (ahead <= 0 || aside > ahead))) return Infinity;
    return from ? ahead + aside * 2 : Math.hypot(x, y);
  };
  return leastOf(s.picture.nodes, far)?.id;
}

// The next of the nodes at the other ends of a node's lines, again and again.
function along(s, near, far) {
  const at = s.cursor || s.selected;
  const walk = s.walk && (s.walk.of === at || s.walk.ids.includes(at)) ? s.walk : { of: at, ids: [] };
  if (walk.near !== near || !walk.ids.length) {
    const lines = (s.linesAt.get(walk.of) || []).filter((line) => line[near] === walk.of && line.kind === "REQUIRES");
    Object.assign(walk, { near, ids: lines.map((line) => line[far]) });
  }
  s.walk = walk;
  return walk.ids[(walk.ids.indexOf(at) + 1) % walk.ids.length];
}

// A row of the page with the key step_N and the route's stop N point at each other.
function listenToRows(s, signal) {
  const point = (e) => {
    const row = e.target.closest?.('[class*="st-key-step_"]');
    if (row || s.pointedByRow) pulse(s, Number(row?.className.match(/st-key-step_(\d+)/)?.[1]) || null);
    s.pointedByRow = Boolean(row);
  };
  document.addEventListener("pointerover", point, { signal });
}

// Put a ring around stop `n`, and mark its row.
function pulse(s, n) {
  if ((s.pulsed || null) === n) return;
  s.pulsed = n;
  for (const row of document.querySelectorAll(".atlas-pointed")) row.classList.remove("atlas-pointed");
  if (n) document.querySelector(`.st-key-step_${n}`)?.classList.add("atlas-pointed");
  s.host.dataset.pulsed = n || "";
  s.net.redraw();
}
