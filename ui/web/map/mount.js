// The component: makes a map on its host, fetches a picture once, and follows the small state that Python sends.
// Python decides what is shown, where it lies and what stands out. Data never becomes HTML.
import { draw } from "./drawing.js";
import { listenToKeys } from "./keyboard.js";
import { showLegend } from "./legend.js";
import { neighbours } from "./light.js";
import { fillList } from "./listing.js";
import { keepView, keptView } from "./memory.js";
import { createNetwork, loadNetwork, networkOptions } from "./network.js";
import { listenToPointer } from "./pointer.js";
import { listenToRows } from "./rows.js";
import { save } from "./save.js";
import { indexed } from "./scene.js";
import { themeOf } from "./theme.js";
import { listenToTouch } from "./touch.js";
import { fit, fitState, isCut, reveal, zoom } from "./view.js";

const HINT = "Click a name to choose it. The wheel zooms once the map has the focus. Arrow keys go to the nearest " +
  "neighbour. [ steps through what a node needs, ] through what it leads to. Enter chooses, Escape lets go, " +
  "+ and − zoom, 0 shows all.";
const TOUCH_HINT = "Tap an area, then a name. Two fingers move and zoom.";
const CUT_HINT = "The picture is larger than its frame: drag it, or press 0 to see all of it.";
const CUT_TOUCH_HINT = "The picture is larger than its frame: two fingers move and zoom it.";

export function mount({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".atlas-canvas");
  const s = host._atlas || (host._atlas = create(parentElement, host));
  s.emit = (id) => setTriggerValue("picked", id);
  s.open = (area) => setTriggerValue("area", area);
  s.data = data;
  follow(s);
  return () => close(s);
}

function create(parent, host) {
  const part = (name) => parent.querySelector(`.atlas-${name}`);
  const s = { host, stage: part("stage"), tools: part("tools"), legend: part("legend"), tip: part("tip"),
    status: part("status"), hint: part("hint"), list: part("list"), listeners: new AbortController(), sizes: new Map(),
    hidden: new Set(), labels: [], discs: [], stops: [], node: new Map(),
    lit: new Set(), known: new Set(), heard: new Set(), state: {} };
  s.theme = themeOf(host);
  s.choose = (id) => choose(s, id);
  s.say = (id) => say(s, id);
  s.touch = matchMedia("(pointer: coarse)").matches;
  return s;
}

// Take what Python sent: the picture where it is another one, and the state always.
async function follow(s) {
  const { picture } = s.data, before = JSON.stringify(s.theme);
  s.theme = themeOf(s.host);
  s.host.dataset.theme = s.theme.dark ? "dark" : "light";
  fill(s);
  if (s.wanted !== picture) {
    s.wanted = picture;
    const answer = await fetch(`/atlas/pictures/${picture}.json`);
    if (s.closed || s.wanted !== picture) return;
    if (!answer.ok) { s.status.textContent = await answer.text(); return; }
    load(s, await answer.json());
  } else if (s.net && before !== JSON.stringify(s.theme)) {
    s.net.setOptions(networkOptions(s));
  }
  if (s.net) apply(s);
}

// Take the room that the window leaves. What stands above may still be loading; once somebody has turned to the map or
// has scrolled, only another window changes it.
function fill(s) {
  const frame = `${innerWidth} ${innerHeight} ${s.host.clientWidth > 0}`, { top } = s.host.getBoundingClientRect();
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop > 0;
  if (s.frame === frame && (s.used || scrolled || s.top === top)) return;
  Object.assign(s, { frame, top });
  s.host.style.height = `${heightOf(s)}px`;
}

// As high as the picture asks for, on a phone no more than most of the screen; else as the window leaves room for, and
// no higher than wide, since a map is broad.
function heightOf({ host, top, data: { height } }) {
  const wide = host.clientWidth;
  if (height) return innerWidth <= 640 ? Math.min(height, Math.round(innerHeight * 0.8)) : height;
  return Math.round(Math.min(1000, wide * 0.95, Math.max(480, innerHeight - top - 70)));
}

function look(s) {
  if (s.kept) s.net.moveTo({ ...s.kept, animation: false });
  else fitState(s);
  s.hint.textContent = hintOf(s);
}

function load(s, picture) {
  Object.assign(s, indexed(picture), { cursor: null, hovered: null, ready: false, used: false });
  s.host.setAttribute("aria-label", picture.name);
  if (s.net) s.net.setOptions(networkOptions(s));
  else listen(s);
  loadNetwork(s);
  fillList(s);
  s.asked = undefined;
}

function listen(s) {
  createNetwork(s);
  s.net.on("beforeDrawing", (ctx) => { if (s.ready) draw.below(s, ctx); });
  s.net.on("afterDrawing", (ctx) => { if (s.ready) { draw.above(s, ctx); report(s); } });
  const resized = new ResizeObserver(() => { fill(s); if (s.ready && !s.used) look(s); });
  resized.observe(s.host);
  resized.observe(document.querySelector("[data-testid=stMainBlockContainer]") || document.body);
  addEventListener("resize", () => fill(s), { signal: s.listeners.signal });
  s.listeners.signal.addEventListener("abort", () => resized.disconnect());
  for (const use of ["pointerdown", "wheel", "keydown"]) {
    s.stage.addEventListener(use, () => { s.used = true; }, { signal: s.listeners.signal, capture: true, passive: true });
  }
  for (const attach of [listenToPointer, listenToTouch, listenToKeys, listenToRows, keepView]) attach(s, s.listeners.signal);
  s.tools.addEventListener("click", (e) => {
    const act = { in: () => zoom(s, 1.4), out: () => zoom(s, 1 / 1.4), fit: () => fit(s), save: () => save(s) };
    act[e.target.closest("button")?.dataset.do]?.();
  });
}

// What is lit keeps its colour and shows its lines; the rest fades. The view moves for a route, or to the choice. Each
// step of a load lets vis-network draw: nothing of ours is, until one looks at the right place.
function apply(s) {
  s.state = s.data;
  const before = s.host.dataset.route, chosen = s.asked;
  s.asked = s.state.selected || null;
  s.known = new Set(s.state.known);
  s.heard = new Set(s.state.heard);
  s.stops = s.state.route.filter((stop) => s.node.has(stop.id));
  s.host.dataset.route = s.stops.map((stop) => stop.id).join(" ");
  light(s, s.state.selected, s.state.lit);
  if (s.cursor === s.selected) s.cursor = null;
  const anew = chosen === undefined || (before !== s.host.dataset.route && s.stops.length);
  if (anew) {
    s.kept = keptView(s);
    look(s);
  } else {
    s.used = true;
    reveal(s, s.selected);
  }
  if (chosen !== undefined && chosen !== s.asked) showDetails();
  if (s.picture.boxed) s.net.selectNodes([...new Set([...s.lit, s.selected])].filter(Boolean), false);  // thicker rims
  say(s, s.selected);
  s.ready = true;
  s.net.redraw();
}

function hintOf(s) {
  if (!s.picture.boxed) return s.touch ? TOUCH_HINT : HINT;
  return !isCut(s) ? "" : s.touch ? CUT_TOUCH_HINT : CUT_HINT;
}

// The details of a new choice begin with its name: scroll there where it is out of sight.
function showDetails() {
  const details = document.querySelector(".st-key-details"), top = details?.getBoundingClientRect().top;
  if (top < 0 || top > innerHeight - 80) details.scrollIntoView({ behavior: "auto", block: "start" });
}

function light(s, selected, lit) {
  s.selected = s.node.has(selected) ? selected : null;
  s.lit = new Set(lit.filter((id) => s.node.has(id)));
  s.host.dataset.selected = s.selected || "";
  s.host.dataset.lit = [...s.lit].join(" ");
  showLegend(s);
}

// A choice is seen at once; Python's answer brings the details and has the last word.
function choose(s, id) {
  s.tip.hidden = s.used = true;
  if (!id && !s.selected && !s.state.selected) return;
  s.cursor = null;
  if (!s.stops.length && !s.picture.boxed && !s.picture.centre) light(s, id, id ? neighbours(s, id) : []);
  say(s, id);
  s.net.redraw();
  s.emit(id || "");
}

function say(s, id) {
  const n = s.node.get(id);
  const more = n?.behind ? `; ${id === s.cursor ? "Enter" : "a click"} shows what is behind it` : "";
  s.status.textContent = n ? `${n.label} (${n.group}${n.area ? ", " + n.area : ""}${more})` : "";
}

// What stands on the canvas, for whoever cannot see it: tests, and scripts of a person's own.
function report(s) {
  const labels = s.picture.boxed ? [...s.node.keys()] : s.labels.filter((l) => l.id).map((l) => l.id);
  s.host.dataset.labels = labels.join(" ");
  s.host.dataset.drawn = s.picture.rev;
}

function close(s) {
  s.closed = true;
  s.listeners.abort();
  s.net?.destroy();
  delete s.host._atlas;
}
