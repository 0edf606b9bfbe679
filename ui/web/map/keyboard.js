// Keys: arrows go to the nearest in that direction, [ and ] through what a node needs and leads to.
import { isHidden } from "./dots.js";
import { fit, reveal, zoom } from "./view.js";

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export function listenToKeys(s, signal) {
  s.host.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (act(s, e.key)) e.preventDefault();
  }, { signal });
}

function act(s, key) {
  const at = s.cursor || s.selected;
  if (WAYS[key]) go(s, at ? towards(s, s.node.get(at), WAYS[key]) : first(s));
  else if (key === "[" || key === "]") go(s, along(s, at, key === "[" ? ["to", "from"] : ["from", "to"]));
  else if (key === "Enter" && s.cursor) s.choose(s.cursor);
  else if (key === "Escape") s.choose(null);
  else if (key === "+" || key === "=") zoom(s, 1.4);
  else if (key === "-") zoom(s, 1 / 1.4);
  else if (key === "0" || key === "Home") fit(s);
  else return false;
  return true;
}

function go(s, id) {
  if (!id) return;
  s.cursor = id;
  s.say(id);
  reveal(s, id, 40);
  s.net.redraw();
}

function first(s) {
  const middle = s.net.getViewPosition(), apart = (n) => Math.hypot(n.x - middle.x, n.y - middle.y);
  return s.picture.nodes.filter((n) => !isHidden(s, n)).sort((a, b) => apart(a) - apart(b))[0]?.id;
}

// The nearest node within a quarter turn of that direction; sideways counts double.
export function towards(s, from, [dx, dy]) {
  let [found, least] = [undefined, Infinity];
  for (const n of s.picture.nodes) {
    const ahead = (n.x - from.x) * dx + (n.y - from.y) * dy, aside = Math.abs((n.x - from.x) * dy - (n.y - from.y) * dx);
    if (n === from || ahead <= 0 || aside > ahead || isHidden(s, n)) continue;
    if (ahead + aside * 2 < least) [found, least] = [n.id, ahead + aside * 2];
  }
  return found;
}

// The next of the nodes at the other ends of a node's lines, again and again.
function along(s, at, [near, far]) {
  if (s.alongOf !== at && !(s.along || []).includes(at)) {
    s.alongOf = at;
    s.along = [];
  }
  const of = s.alongOf, way = `${near}${of}`;
  if (s.way !== way || !s.along.length) {
    s.way = way;
    s.along = s.linesAt.get(of)?.filter((line) => line[near] === of && line.kind === "REQUIRES").map((line) => line[far]) || [];
  }
  return s.along[(s.along.indexOf(at) + 1) % s.along.length];
}
