// Words of the picture itself: years above it, and the names of lanes, which stay in sight however one moves the map.
import { frameOf, laneRoom } from "./view.js";
import { write } from "./write.js";

// Draw one where `free` says that there is room, and return its box, null for none. A name too long for the room
// before its lane is cut, with a sign that it was.
export function drawCaption(s, ctx, view, caption, free) {
  const lane = caption.ends, y = caption.y * view.scale;
  ctx.font = `700 ${lane && view.width <= 600 ? 11 : 12}px ${s.theme.font}`;
  ctx.textAlign = lane ? "right" : "center";
  const text = lane ? cut(ctx, caption.text, laneRoom(view)) : caption.text, width = ctx.measureText(text).width;
  const x = lane ? Math.max(caption.x * view.scale, frameOf(view)[0] + 4 + width) : caption.x * view.scale;
  const box = [lane ? x - width : x - width / 2, y - 7, lane ? x : x + width / 2, y + 7];
  if (!free(box)) return null;
  write(ctx, text, { x, y, colour: s.theme.line, halo: s.theme.ground });
  return box;
}

function cut(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  let kept = text;
  while (kept && ctx.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1).trimEnd();
  return `${kept}…`;
}
