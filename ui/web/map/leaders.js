// The thin lines that tie a name to a dot farther away. A tidy one crosses no other, no name and no route.
const NEAR = 14;  // so near, in pixels, a name needs no line
const CLEAR = 3;  // pixels between a name and the middle of a route's line

// The line from a dot's rim to the nearest point of the name's box; none where the name stands near.
export function leaderOf({ x, y, r }, box, away) {
  if (away <= NEAR) return null;
  const to = { x: Math.min(box[2], Math.max(box[0], x)), y: Math.min(box[3], Math.max(box[1], y)) };
  const far = Math.hypot(to.x - x, to.y - y) || 1;
  return [{ x: x + ((to.x - x) * r) / far, y: y + ((to.y - y) * r) / far }, to];
}

const side = (a, b, p) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);

export function cross([a, b], [c, d]) {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

const inside = (p, b) => p.x > b[0] && p.x < b[2] && p.y > b[1] && p.y < b[3];

// Whether a line runs through a box.
export function through(line, b) {
  const [a, c] = [{ x: b[0], y: b[1] }, { x: b[2], y: b[3] }], [d, e] = [{ x: b[2], y: b[1] }, { x: b[0], y: b[3] }];
  return line.some((p) => inside(p, b)) || cross(line, [a, c]) || cross(line, [d, e]);
}

// What has been drawn so far, and whether a name with its line would lie on any of it, or on a route. `marks`: boxes of
// dots, which a line keeps clear of too.
export function leaders(curve, marks) {
  const lines = [], boxes = [], route = curve.slice(1).map((p, i) => [curve[i], p]);
  const onRoute = (b) => {
    const wide = [b[0] - CLEAR, b[1] - CLEAR, b[2] + CLEAR, b[3] + CLEAR];
    return route.some((part) => through(part, wide));
  };
  return {
    onRoute,
    add: (box, line) => { boxes.push(box); if (line) lines.push(line); },
    tidy(label, box, line) {
      if (lines.some((other) => through(other, box))) return false;
      if (!line) return true;
      return ![...lines, ...route].some((other) => cross(line, other)) && ![...boxes, ...marks].some((b) => !inside(label, b) && through(line, b));
    },
  };
}

export function drawLeader(ctx, [from, to], colour) {
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.65;
  ctx.strokeStyle = colour;
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.lineTo(to.x, to.y);
  ctx.stroke();
  ctx.globalAlpha = 1;
}
