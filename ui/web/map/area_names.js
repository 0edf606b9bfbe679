// The names of areas, wherever room is left, on their own ground where that has room; fainter while something is lit.
import { areaColour } from "./areas.js";
import { write } from "./write.js";

const SLIDES = [0, -0.3, 0.3, -0.6, 0.6];  // of a name's width, to either side of each place

export function drawAreaNames(paper) {
  const { s, ctx, view } = paper, small = view.width <= 600;
  ctx.textAlign = "center";
  ctx.font = `700 ${small ? 11 : 12}px ${s.theme.font}`;
  ctx.globalAlpha = s.lit.size ? 0.75 : 1;
  for (const area of s.areas) {
    const text = small && !s.lit.size ? `${area.name} ${area.members.length}` : area.name.toUpperCase();
    const found = placeOf(paper, area, ctx.measureText(text).width);
    if (!found) continue;
    paper.take(found.box, null);
    s.labels.push({ area: area.name, box: found.box });
    write(ctx, text, { ...found, colour: areaColour(s, area.hue), halo: s.theme.ground });
  }
  ctx.globalAlpha = 1;
}

function placeOf({ s, view, free, drawn }, { name, places }, width) {
  const open = places.flatMap((place) => SLIDES.map((slide) => at(place.x * view.scale + slide * width, place.y * view.scale, width)))
    .filter(({ box }) => free(box) && drawn.tidy({}, box, null) && !drawn.onRoute(box));
  return open.find(({ x, y }) => [x - width / 2, x + width / 2].every((end) => areaAt(s, end / view.scale, y / view.scale) === name)) || open[0];
}

function at(x, y, width) {
  return { x, y, box: [x - width / 2 - 4, y - 8, x + width / 2 + 4, y + 8] };
}

// The area of the dot that is nearest to a point of the map.
function areaAt(s, x, y) {
  let [found, least] = ["", Infinity];
  for (const n of s.picture.nodes) {
    const apart = (n.x - x) ** 2 + (n.y - y) ** 2;
    if (apart < least) [found, least] = [n.area, apart];
  }
  return found;
}
