// Areas: one soft ground under all the dots of an area, and the places where its name may stand.
const REACH = 92;  // of the ground around a dot, in units of the map: neighbours of an area stand nearer

export function drawGrounds(s, ctx, scale) {
  const reach = Math.max(REACH, 9 / scale);
  const light = s.theme.dark ? [60, s.lit.size ? 0.07 : 0.13] : [45, s.lit.size ? 0.06 : 0.11];
  for (const { hue, members } of s.areas) {
    ctx.fillStyle = `hsl(${hue} 55% ${light[0]}% / ${light[1]})`;
    ctx.beginPath();
    for (const n of members) { ctx.moveTo(n.x, n.y); ctx.arc(n.x, n.y, reach, 0, 2 * Math.PI); }
    ctx.fill();
  }
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
