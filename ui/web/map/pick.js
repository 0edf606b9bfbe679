// What lies under a point of the frame: a stop, a dot, a name, the nearest dot within reach, or an area's name.
import { isHidden, radius, strength } from "./dots.js";
import { DISC } from "./route.js";
import { viewOf } from "./view.js";

export function pickAt(s, point, reach) {
  if (s.picture.boxed) return { id: s.net.getNodeAt(point) };
  const view = viewOf(s);
  const x = view.x + point.x - view.width / 2, y = view.y + point.y - view.height / 2;
  const disc = s.discs.find((d) => Math.hypot(d.x - x, d.y - y) <= DISC + 2);
  if (disc) return { id: disc.id, n: disc.n };
  const under = nearest(s, { x, y }, view.scale, 1);
  if (under) return { id: under };
  const label = s.labels.find(({ box: b }) => x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3]);
  if (label?.id) return { id: label.id, n: s.discs.find((d) => d.id === label.id)?.n };
  return { id: nearest(s, { x, y }, view.scale, reach), area: label?.area };
}

function nearest(s, { x, y }, scale, reach) {
  let [found, least] = [undefined, Infinity];
  for (const n of s.picture.nodes) {
    if (isHidden(s, n)) continue;
    const apart = Math.hypot(n.x * scale - x, n.y * scale - y) - radius(s, n, scale) + (strength(s, n) < 1 ? 3 : 0);
    if (apart <= reach && apart < least) [found, least] = [n.id, apart];
  }
  return found;
}
