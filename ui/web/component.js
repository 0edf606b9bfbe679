// Draws one picture with vis-network. Python decides what is shown, where it lies and what stands out; here are only
// colours (from the theme), labels (as many as fit without touching) and hands (mouse, keys). Data never becomes HTML.

const HINT = "Click a name to choose it. Scroll zooms once the map has the focus; arrow keys step, Enter chooses, Home shows all.";

export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".atlas-canvas");
  const made = !host._atlas;
  const s = host._atlas || (host._atlas = { host, sizes: new Map() });
  s.data = data;
  s.colours = themeOf(host);
  host.dataset.theme = s.colours.dark ? "dark" : "light";
  s.emit = (id) => setTriggerValue("picked", id);
  host.setAttribute("aria-label", data.name);
  const room = data.boxed || host.clientWidth > 600 ? data.height : host.clientWidth;
  host.style.height = `${room}px`;
  if (made) create(s);
  else s.net.setOptions(options(s));
  if (s.rev !== data.rev) load(s);
  light(s);
  return () => { s.resized.disconnect(); s.net.destroy(); delete host._atlas; };
}

function create(s) {
  s.net = new vis.Network(s.host, {}, options(s));
  s.net.on("click", (e) => {
    const id = e.nodes[0] || labelAt(s, e.pointer.DOM);
    if (id) { s.cursor = id; say(s, id); s.net.redraw(); }  // seen at once, before Python answers
    if (id || s.data.selected) s.emit(id || "");
  });
  s.net.on("hoverNode", (e) => { s.hovered = e.node; s.host.classList.add("over"); s.net.redraw(); });
  s.net.on("blurNode", () => { s.hovered = null; s.host.classList.remove("over"); s.net.redraw(); });
  s.net.on("beforeDrawing", (ctx) => territories(s, ctx));
  s.net.on("afterDrawing", (ctx) => { names(s, ctx); s.host.dataset.drawn = s.rev; });
  s.resized = new ResizeObserver(() => { if (!s.seen && s.host.clientWidth) { s.seen = true; fit(s); } });
  s.resized.observe(s.host);
  // The wheel scrolls the page until somebody turns to the map.
  s.host.addEventListener("focusin", () => s.net.setOptions({ interaction: { zoomView: true } }));
  s.host.addEventListener("focusout", (e) => s.net.setOptions({ interaction: { zoomView: s.host.contains(e.relatedTarget) } }));
  s.host.addEventListener("pointerdown", () => s.host.focus({ preventScroll: true }));
  s.host.addEventListener("keydown", (e) => key(s, e));
  s.host.parentElement.querySelector(".atlas-tools").addEventListener("click", (e) => {
    const what = e.target.dataset.do;
    if (what === "fit") fit(s);
    else if (what) s.net.moveTo({ scale: s.net.getScale() * (what === "in" ? 1.4 : 1 / 1.4) });
  });
}

function load(s) {
  s.rev = s.data.rev;
  s.cursor = null;
  s.node = new Map(s.data.nodes.map((n) => [n.id, n]));
  s.order = [...s.data.nodes].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
  s.steps = [...s.data.nodes].sort((a, b) => a.y - b.y || a.x - b.x).map((n) => n.id);
  s.areas = s.data.areas.map((name, i) => ({ name, hue: (i * 137.5 + 200) % 360, members: s.data.nodes.filter((n) => n.area === name) }))
    .filter((area) => area.members.length).map((area) => ({ ...area, places: areaPlaces(area.members, s.data.nodes) }));
  s.nodes = new vis.DataSet(s.data.nodes.map((n) => (s.data.boxed ? n : { ...n, label: undefined })));
  s.edges = new vis.DataSet(s.data.edges.map((e) => ({ ...e, hidden: e.quiet })));
  s.net.setData({ nodes: s.nodes, edges: s.edges });
  s.seen = s.host.clientWidth > 0;
  fit(s);
}

function fit(s) {
  s.net.fit({ animation: false, maxZoomLevel: s.data.boxed ? 1 : 1.2 });
  if (!s.data.boxed) s.net.moveTo({ scale: s.net.getScale() * 0.95 });
}

// What is lit keeps its colour and shows all its lines; the rest fades. Nothing moves, unless the chosen one is out of sight.
function light(s) {
  const { selected, lit } = s.data;
  s.lit = new Set(lit.filter((id) => s.node.has(id)));
  const some = s.lit.size > 0;
  s.nodes.update(s.data.nodes.map((n) => ({ id: n.id, opacity: !some || s.lit.has(n.id) ? 1 : 0.16 })));
  s.edges.update(s.data.edges.map((e) => {
    const bright = some && selected && (e.from === selected || e.to === selected) && s.lit.has(e.from) && s.lit.has(e.to);
    const colour = e.kind === "REQUIRES" || e.kind === "FLOW" ? s.colours.line : s.colours[e.kind === "TEACHES" || e.kind === "RELATED_TO" ? "episode" : "concept"];
    const strength = bright ? 0.95 : some ? 0.06 : s.data.boxed ? 0.8 : 0.28;
    return { id: e.id, hidden: e.quiet && !bright, width: bright ? 1.8 : s.data.boxed ? 1.2 : 1,
             color: { color: colour, highlight: colour, hover: colour, opacity: strength },
             arrows: { to: { enabled: bright || s.data.boxed, scaleFactor: 0.55 } } };
  }));
  if (s.cursor === selected) s.cursor = null;
  if (s.node.has(selected)) {
    s.net.selectNodes([selected], false);
    const at = s.net.canvasToDOM(s.node.get(selected));
    const inside = at.x > 0 && at.y > 0 && at.x < s.host.clientWidth && at.y < s.host.clientHeight;
    if (!inside) s.net.moveTo({ position: s.node.get(selected) });
  } else s.net.unselectAll();
  s.host.dataset.selected = s.net.getSelectedNodes().join();
  say(s, selected);
  s.net.redraw();
}

function say(s, id) {
  const n = s.node.get(id);
  s.host.parentElement.querySelector(".atlas-status").textContent =
    n ? `${n.label} (${n.group}${n.area ? ", " + n.area : ""})` : s.data.boxed ? "" : HINT;
}

function key(s, e) {
  const at = s.cursor || s.data.selected;
  const follow = (from, to) => {
    const ahead = s.data.edges.filter((x) => x[from] === at && !x.quiet).map((x) => x[to]);
    return ahead.length ? ahead[0] : at;
  };
  const step = (by) => s.steps[(s.steps.indexOf(at) + by + s.steps.length) % s.steps.length];
  const go = { ArrowRight: () => follow("from", "to"), ArrowLeft: () => follow("to", "from"),
               ArrowDown: () => step(1), ArrowUp: () => step(s.steps.includes(at) ? -1 : 0) }[e.key];
  if (go) { s.cursor = go() || s.steps[0]; say(s, s.cursor); s.net.redraw(); }
  else if (e.key === "Enter" && s.cursor) s.emit(s.cursor);
  else if (e.key === "Escape" && s.data.selected) s.emit("");
  else if (e.key === "Home") fit(s);
  else return;
  e.preventDefault();
}

// One soft ground under all the dots of an area: overlapping discs filled in one stroke.
function territories(s, ctx) {
  if (s.data.boxed) return;
  for (const { hue, members } of s.areas) {
    ctx.fillStyle = `hsl(${hue} 55% ${s.colours.dark ? 60 : 45}% / ${s.colours.dark ? 0.12 : 0.1})`;
    ctx.beginPath();
    for (const n of members) { ctx.moveTo(n.x, n.y); ctx.arc(n.x, n.y, 62, 0, 2 * Math.PI); }
    ctx.fill();
  }
}

function ring(s, ctx, n, scale) {
  ctx.strokeStyle = s.colours.accent;
  ctx.lineWidth = 2.5 / scale;
  ctx.beginPath();
  ctx.arc(n.x, n.y, n.size + 5 / scale, 0, 2 * Math.PI);
  ctx.stroke();
}

function themeOf(host) {
  const style = getComputedStyle(host);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const ground = read("background-color");
  const [r, g, b] = (ground.match(/[0-9a-f]{2}/gi) || ["ff", "ff", "ff"]).map((x) => parseInt(x, 16));
  return { dark: r + g + b < 384, ground, text: read("text-color"),
           line: read("gray-color"), concept: read("blue-color"), episode: read("orange-color"),
           accent: read("primary-color"), font: read("font") || "sans-serif" };
}

function options(s) {
  const c = s.colours;
  const of = (colour) => ({ background: s.data.boxed ? c.ground : colour, border: s.data.boxed ? colour : c.ground,
    highlight: { background: s.data.boxed ? c.ground : colour, border: colour }, hover: { background: s.data.boxed ? c.ground : colour, border: colour } });
  const font = { color: c.text, face: c.font, size: 14 };
  const box = { shape: "box", margin: 9, widthConstraint: { maximum: 150 }, font, borderWidth: 1.6 };
  const given = s.data.options;
  return { ...given, groups: { useDefaultGroups: false,
    concept: { ...(s.data.boxed ? { ...box, shapeProperties: { borderRadius: 14 } } : { shape: "dot", borderWidth: 1 }), color: of(c.concept) },
    episode: { ...(s.data.boxed ? { ...box, shapeProperties: { borderRadius: 3 } } : { shape: "square", borderWidth: 1 }), color: of(c.episode) } },
    interaction: { ...given.interaction, zoomView: s.host.matches(":focus-within") } };
}
