// The mouse: a click chooses, pointing tells in a tooltip. The wheel scrolls the page until somebody turns to the map.
import { pickAt } from "./pick.js";
import { pulse } from "./rows.js";
import { fitTo } from "./view.js";

const REACH = 6, FINGER = 22;  // pixels

export function listenToPointer(s, signal) {
  s.net.on("click", (e) => clicked(s, e));
  s.host.addEventListener("pointermove", (e) => { if (e.pointerType !== "touch" && !e.buttons) hover(s, e); }, { signal });
  s.host.addEventListener("pointerleave", () => leave(s), { signal });
  s.host.addEventListener("pointerdown", () => s.host.focus({ preventScroll: true }), { signal });
  const wheel = (zoomView) => { if (!s.touch) s.net.setOptions({ interaction: { zoomView } }); };
  s.host.addEventListener("focusin", () => wheel(true), { signal });
  s.host.addEventListener("focusout", (e) => wheel(s.host.contains(e.relatedTarget)), { signal });
}

function clicked(s, e) {
  const finger = e.event?.pointerType === "touch" || e.event?.srcEvent?.pointerType === "touch";
  const { id, area } = pickAt(s, e.pointer.DOM, finger ? FINGER : REACH);
  const name = finger && farAway(s) ? area || s.node.get(id)?.area : !id && area;
  const whole = s.areas.find((found) => found.name === name);
  if (whole && s.picture.hidden) s.open(whole.name);
  else if (whole && !s.lit.size) fitTo(s, whole.members, { room: 50, most: 0.9 });
  else s.choose(id);
}

// So far that a finger covers several dots: a tap then means the area.
function farAway(s) {
  return s.host.clientWidth <= 600 && s.net.getScale() < 0.2;
}

function hover(s, e) {
  const { left, top } = s.host.getBoundingClientRect();
  const point = { x: e.clientX - left, y: e.clientY - top };
  const { id, n, area } = pickAt(s, point, REACH);
  s.host.classList.toggle("over", Boolean(id || area));
  if (id === s.hovered) return;
  s.hovered = id;
  s.unnamed = !s.labels.some((label) => label.id === id);  // a name that stands already must not run from the pointer
  pulse(s, n || null);
  tell(s, id, point);
  s.net.redraw();
}

function leave(s) {
  s.tip.hidden = true;
  s.host.classList.remove("over");
  if (s.hovered) { s.hovered = null; pulse(s, null); s.net.redraw(); }
}

function tell(s, id, point) {
  const n = s.node.get(id);
  s.tip.hidden = !n;
  if (s.tip.hidden) return;
  s.tip.textContent = n.tip;
  const { clientWidth: wide, clientHeight: high } = s.stage;
  s.tip.style.left = `${Math.max(4, Math.min(point.x + 14, wide - s.tip.offsetWidth - 4))}px`;
  const below = point.y + 18;
  s.tip.style.top = `${below + s.tip.offsetHeight > high ? Math.max(4, point.y - s.tip.offsetHeight - 12) : below}px`;
}
