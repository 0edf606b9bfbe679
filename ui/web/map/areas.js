// Areas: one soft ground under all the dots of an area, and the places where its name may stand.
const REACH = 92;  // of the ground around a dot, in units of the map: neighbours of an area stand nearer
const BRIDGE = 300;  // dots of an area so near have one ground: its rim runs straight between them
const FADED = 0.55, PIXELS = 6e5;  // how strong a ground is while something is lit; of the image of all grounds

export function drawGrounds(s, ctx) {
  if (!s.areas.length) return;
  if (s.grounds?.of !== s.picture || s.grounds.dark !== s.theme.dark) s.grounds = painted(s);
  const { canvas, left, top, width, height } = s.grounds;
  ctx.globalAlpha = s.lit.size ? FADED : 1;
  ctx.drawImage(canvas, left, top, width, height);
  ctx.globalAlpha = 1;
}

// The grounds as an image, painted once for a picture and a theme: a soft ground may be blurred, and must not be slow.
function painted(s) {
  const all = s.areas.flatMap(({ members }) => members), canvas = document.createElement("canvas");
  const [xs, ys] = [all.map((n) => n.x), all.map((n) => n.y)];
  const [left, top] = [Math.min(...xs) - 2 * REACH, Math.min(...ys) - 2 * REACH];
  const [width, height] = [Math.max(...xs) + 2 * REACH - left, Math.max(...ys) + 2 * REACH - top];
  const scale = Math.min(0.5, Math.sqrt(PIXELS / width / height));
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const ctx = canvas.getContext("2d");
  ctx.scale(canvas.width / width, canvas.height / height);
  ctx.translate(-left, -top);
  ctx.lineCap = "round";
  ctx.lineWidth = 2 * REACH;
  for (const { hue, members, bridges } of s.areas) {
    ctx.strokeStyle = `hsl(${hue} 55% ${s.theme.dark ? "60% / 0.13" : "45% / 0.11"})`;
    ctx.beginPath();  // one path, so that the ground is no darker where its parts overlap
    for (const n of members) { ctx.moveTo(n.x, n.y); ctx.lineTo(n.x, n.y); }
    for (const [a, b] of bridges) { ctx.moveTo(a.x, a.y); ctx.lineTo(b.x, b.y); }
    ctx.stroke();
  }
  return { of: s.picture, dark: s.theme.dark, canvas, left, top, width, height };
}

// The pairs between which the ground is closed: near ones with no third dot in the circle between them, the graph of
// Gabriel and Sokal (1969), which holds each dot together with its neighbours all around.
export function bridgesOf(members) {
  const columns = [...members].sort((a, b) => a.x - b.x), found = [];
  columns.forEach((a, i) => {
    const near = [];
    for (let j = i + 1; j < columns.length && columns[j].x - a.x < BRIDGE; j++)
      if (Math.hypot(columns[j].x - a.x, columns[j].y - a.y) < BRIDGE) near.push(columns[j]);
    const around = columns.filter((c) => Math.abs(c.x - a.x) < BRIDGE && Math.abs(c.y - a.y) < BRIDGE);
    for (const b of near) {
      const [x, y, r] = [(a.x + b.x) / 2, (a.y + b.y) / 2, Math.hypot(a.x - b.x, a.y - b.y) / 2];
      if (!around.some((c) => c !== a && c !== b && Math.hypot(c.x - x, c.y - y) < r)) found.push([a, b]);
    }
  });
  return found;
}

export function areaColour(s, hue) {
  return `hsl(${hue} 42% ${s.theme.dark ? 74 : 32}%)`;
}

// Above, below or amid the area's densest part, and never nearer to another area's dots.
export function areaPlaces(members, nodes) {
  const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  const around = (n) => members.filter((m) => apart(n, m) < 240);
  const core = members.map(around).reduce((best, near) => (near.length > best.length ? near : best));
  const [top, bottom] = [Math.min(...core.map((n) => n.y)) - 44, Math.max(...core.map((n) => n.y)) + 44];
  const own = new Set(members);
  const nearest = (place) => nodes.reduce((best, n) => (apart(n, place) < apart(best, place) ? n : best));
  return [top, bottom, (top + bottom) / 2].map((y) => {
    const rim = core.filter((n) => Math.abs(n.y - y) < 160);
    const beside = rim.length ? rim : core;
    return { x: beside.reduce((sum, n) => sum + n.x, 0) / beside.length, y };
  }).filter((place) => own.has(nearest(place)));
}
