// The component: makes a map on its host, fetches a picture once, and follows the small state that Python sends.
// Python decides what is shown, where it lies and what stands out. Data never becomes HTML.

const HINTS = {
  mouse: "Click to select, drag to move, scroll to zoom once you have clicked.",
  keys:
    "Arrow keys go to the nearest dot, [ and ] to what a node needs and leads to. Enter chooses, Escape lets go, " +
    "+ and − zoom, 0 shows all.",
  touch: "Tap an area, then a name. Two fingers move and zoom.",
  cut: "The picture is larger than its frame: drag it, with two fingers on a touch screen, or press 0 to see all.",
};

function drawBelow(s, ctx, view = viewOf(s)) {
  drawGrounds(s, ctx);
  inPixels(ctx, view.scale, () => drawLines(s, ctx, view.scale));
  const [left, top, right, bottom] = frameOf(view, -LARGEST - 2).map((side) => side / view.scale);
  for (const n of s.picture.nodes) // in the frame, or with a rim in it
    if (n.x > left && n.x < right && n.y > top && n.y < bottom) drawDot(s, ctx, n, view.scale);
}

function drawAbove(s, ctx, view = viewOf(s)) {
  inPixels(ctx, view.scale, () => {
    for (const n of [...new Set([s.selected, s.cursor])].map((id) => s.node.get(id)).filter(Boolean)) {
      const at = { x: n.x * view.scale, y: n.y * view.scale };
      circle(ctx, at, radius(s, n, view.scale) + 4, { rim: s.theme.accent, width: 2.5 });
    }
    drawRoute(s, ctx, view.scale);
    drawLabels(s, ctx, view);
  });
}

// Draw in pixels of the screen: an object at (x, y) of the map stands at (x * scale, y * scale).
function inPixels(ctx, scale, paint) {
  ctx.save();
  ctx.scale(1 / scale, 1 / scale);
  paint();
  ctx.restore();
}

function mount({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".atlas-canvas");
  const s = host._atlas || (host._atlas = create(parentElement, host));
  Object.assign(s, { data, trigger: setTriggerValue });
  take(s);
  return () => {
    s.closed = true;
    delete document.documentElement.dataset.next;
    s.listeners.abort();
    s.net?.destroy();
    delete host._atlas;
  };
}

function create(parent, host) {
  const s = { host, sizes: new Map(), node: new Map(), labels: [], discs: [], stops: [] };
  for (const name of ["hidden", "lit", "known", "heard"]) s[name] = new Set();
  for (const name of ["stage", "tools", "legend", "tip", "status", "hint", "list"])
    s[name] = parent.querySelector(`.atlas-${name}`);
  return Object.assign(s, { listeners: new AbortController(), touch: matchMedia("(pointer: coarse)").matches });
}

// The page's colours, which a canvas cannot take from variables by itself.
function themeOf(host) {
  const style = getComputedStyle(host);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const names = ["background", "text", "gray", "blue", "orange", "primary"];
  const [ground, text, gray, concept, episode, accent] = names.map((name) => read(`${name}-color`));
  const [r, g, b] = (ground.match(/[0-9a-f]{2}/gi) || ["ff", "ff", "ff"]).map((x) => parseInt(x, 16));
  const dark = r + g + b < 384;
  const [leads, route, resource] = dark ? ["#4CC79B", "#F58AC6", "#B9A2F5"] : ["#00805C", "#A3146B", "#6A4BC4"];
  const font = read("font") || "sans-serif";
  return { dark, ground, text, gray, concept, episode, resource, leads, route, accent, font };
}

// vis-network has the camera, and the boxes of layered pictures. What it draws is in units of the map and vanishes from
// afar; so dots, lines and names of a map are drawn by us, in pixels of the screen.
function networkOptions({ theme, picture, touch, host }) {
  const { text, font, ground, gray } = theme;
  const box = { shape: "box", margin: 9, widthConstraint: { maximum: 150 }, borderWidth: 1.6 };
  const group = (border, borderRadius) => {
    const colours = { background: ground, border };
    const color = { ...colours, highlight: colours, hover: colours };
    return { ...box, font: { color: text, face: font, size: 14 }, color, shapeProperties: { borderRadius } };
  };
  const arrows = { to: { enabled: true, scaleFactor: 0.55 } };
  const zoomView = !touch && host.matches(":focus-within");
  return {
    ...picture.options,
    groups: {
      useDefaultGroups: false,
      concept: group(theme.concept, 14),
      episode: group(theme.episode, 3),
      resource: group(theme.resource, 0),
    },
    edges: { ...picture.options.edges, width: 1.2, color: { color: gray, opacity: 0.8 }, arrows },
    interaction: { ...picture.options.interaction, zoomView, dragView: !touch },
  };
}

// Take what Python sent: the picture where it is another one, and the state always.
async function take(s) {
  const { picture } = s.data;
  const before = JSON.stringify(s.theme);
  s.theme = themeOf(s.host);
  s.host.dataset.theme = s.theme.dark ? "dark" : "light";
  fill(s);
  if (s.wanted !== picture) {
    s.wanted = picture;
    const answer = await fetch(`/atlas/pictures/${picture}.json`);
    if (s.closed || s.wanted !== picture) return;
    if (answer.ok) load(s, await answer.json());
    else s.status.textContent = await answer.text();
  } else if (s.net && before !== JSON.stringify(s.theme)) s.net.setOptions(networkOptions(s));
  if (s.net) apply(s);
}

// Take the height that the picture asks for, on a phone no more than most of the screen; else what the window leaves,
// and no more than the width. What stands above may still be loading: only the first use or a scroll ends the changes.
function fill(s) {
  const { clientWidth, style } = s.host;
  const { top } = s.host.getBoundingClientRect();
  const frame = `${innerWidth} ${innerHeight} ${clientWidth > 0}`;
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop > 0;
  if (s.frame === frame && (s.used || scrolled || s.top === top)) return;
  Object.assign(s, { frame, top });
  const left = Math.min(1000, clientWidth * 0.95, Math.max(480, innerHeight - top - 70));
  const asked = innerWidth <= 640 ? Math.min(s.data.height, innerHeight * 0.8) : s.data.height;
  style.height = `${Math.round(s.data.height ? asked : left)}px`;
}

function load(s, picture) {
  s.inPlace = [s.picture, picture].every((shown) => shown && !shown.boxed && !shown.centre); // parts of one map
  Object.assign(s, indexed(picture), { cursor: null, hovered: null, ready: false, used: false, asked: undefined });
  s.host.setAttribute("aria-label", picture.name);
  if (s.net) s.net.setOptions(networkOptions(s));
  else listen(s);
  s.net.setData(picture.boxed ? { nodes: picture.nodes, edges: picture.edges } : { nodes: [], edges: [] });
  fillList(s);
}

function listen(s) {
  const { signal } = s.listeners;
  s.net = new vis.Network(s.host, {}, networkOptions(s));
  s.host.querySelector(".vis-network").tabIndex = -1; // the host takes the keys
  s.net.on("animationFinished", () => (s.gliding = false));
  s.net.on("beforeDrawing", (ctx) => s.ready && !s.picture.boxed && drawBelow(s, ctx));
  s.net.on("afterDrawing", (ctx) => {
    if (!s.ready) return;
    if (!s.picture.boxed) drawAbove(s, ctx);
    const labels = s.picture.boxed ? [...s.node.keys()] : s.labels.filter((l) => l.id).map((l) => l.id);
    const stops = JSON.stringify(stopsDrawn(s));
    Object.assign(s.host.dataset, { labels: labels.join(" "), stops, drawn: s.picture.rev }); // for tests and scripts
  });
  const resized = new ResizeObserver(() => {
    fill(s);
    if (s.ready && !s.used) look(s);
  });
  resized.observe(s.host);
  resized.observe(document.querySelector("[data-testid=stMainBlockContainer]") || document.body);
  signal.addEventListener("abort", () => resized.disconnect());
  addEventListener("resize", () => fill(s), { signal });
  for (const use of ["pointerdown", "wheel", "keydown"])
    s.stage.addEventListener(use, () => (s.used = true), { signal, capture: true, passive: true });
  for (const attach of [listenToPointer, listenToTouch, listenToKeys, listenToRows, keepView]) attach(s, signal);
  const asked = ({ target }) => target.closest?.(".st-key-save_picture button") && save(s);
  document.addEventListener("click", asked, { signal: s.listeners.signal });
  const acts = { in: () => zoom(s, 1.4), out: () => zoom(s, 1 / 1.4), fit: () => fit(s), save: () => save(s) };
  s.tools.addEventListener("click", (e) => acts[e.target.closest("button")?.dataset.do]?.());
}

// Where the discs of a route and the middles of their names stand, in pixels from the corner of the canvas.
function stopsDrawn(s) {
  const [left, top] = frameOf(viewOf(s), 0);
  const place = (x, y) => [x - left, y - top].map((pixels) => Math.round(pixels * 10) / 10);
  return s.discs.map(({ id, x, y }) => {
    const [box] = s.labels.filter((label) => label.id === id).map((label) => label.box);
    return { id, disc: place(x, y), label: box ? place((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) : null };
  });
}

function look(s) {
  if (s.kept) s.net.moveTo({ scale: s.kept.scale, position: s.kept.position, animation: false });
  else fitState(s);
  const isCut = s.net.getScale() >= READABLE && s.picture.nodes.some((n) => !inSight(s, n));
  const hint = !s.picture.boxed ? HINTS[s.touch ? "touch" : "mouse"] : isCut ? HINTS.cut : "";
  const keys = element("details", {}, element("summary", {}, "Keys"), HINTS.keys);
  s.hint.replaceChildren(hint, ...(s.picture.boxed || s.touch ? [] : [keys]));
}

// What is lit keeps its colour and shows its lines; the rest fades. The view moves for a route, or to the choice.
function apply(s) {
  const { selected, lit, route, known, heard } = (s.state = s.data);
  const [before, chosen] = [s.host.dataset.route, s.asked];
  const stops = route.filter((stop) => s.node.has(stop.id));
  Object.assign(s, { asked: selected || null, known: new Set(known), heard: new Set(heard), stops });
  s.host.dataset.route = stops.map((stop) => stop.id).join(" ");
  light(s, selected, lit);
  delete document.documentElement.dataset.next; // an answer came
  if (s.cursor === s.selected) s.cursor = null;
  if (chosen === undefined || (before !== s.host.dataset.route && s.stops.length)) {
    Object.assign(s, { kept: keptView(s), glides: s.inPlace });
    look(s);
    s.glides = s.inPlace = false;
  } else {
    s.used = true;
    if (chosen !== s.asked && s.picked !== s.asked) follow(s); // a choice on the canvas moves nothing
    else reveal(s, s.selected);
    if (chosen !== s.asked) s.picked = null;
  }
  const details = document.querySelector(".st-key-details");
  const top = details?.getBoundingClientRect().top;
  const isOut = top < 0 || top > innerHeight - 80; // the details of a new choice begin with its name
  if (chosen !== undefined && chosen !== s.asked && isOut) details.scrollIntoView({ behavior: "auto", block: "start" });
  if (s.picture.boxed) s.net.selectNodes([...new Set([...s.lit, s.selected])].filter(Boolean), false); // thicker rims
  say(s, s.selected);
  s.ready = true;
  s.net.redraw();
}

function light(s, selected, lit) {
  s.selected = s.node.has(selected) ? selected : null;
  s.lit = new Set(lit.filter((id) => s.node.has(id)));
  Object.assign(s.host.dataset, { selected: s.selected || "", lit: [...s.lit].join(" ") });
  showLegend(s);
}

// A choice is seen at once; Python's answer brings the details and has the last word.
function choose(s, id) {
  s.tip.hidden = s.used = true;
  if (!id && !s.selected && !s.state.selected) return;
  Object.assign(s, { cursor: null, picked: id || null });
  if (!s.stops.length && !s.picture.boxed && !s.picture.centre) light(s, id, neighbours(s, id));
  say(s, id);
  s.net.redraw();
  const next = new URL(location.pathname === "/" ? location.href : "/", location.href); // where a lost choice leads
  next.searchParams[id ? "set" : "delete"]("node", id);
  document.documentElement.dataset.next = next;
  s.trigger("picked", id || "");
}

// What a choice lights up, computed in the browser so that it is seen at once: the rule of `lit` in pictures.py.
function neighbours(s, id) {
  const n = s.node.get(id);
  if (!n) return [];
  const isNear = ({ kind, quiet }) => {
    if (kind === "TEACHES") return n.group === "concept" || !quiet;
    return kind === (n.group === "concept" ? "REQUIRES" : "RELATED_TO");
  };
  const near = s.linesAt.get(id).filter(isNear);
  return [id, ...near.map((line) => (line.from === id ? line.to : line.from))];
}

function say(s, id) {
  const n = s.node.get(id);
  const more = n?.behind ? `; ${id === s.cursor ? "Enter" : "a click"} shows what is behind it` : "";
  s.status.textContent = n ? `${n.label} (${n.group}${n.area ? ", " + n.area : ""}${more})` : "";
}
