// The picture as a file: at twice the size, with its title, its legend and the address that leads back to it.
import { draw } from "./drawing.js";
import { viewOf } from "./view.js";

const TWICE = 2, HEAD = 44, FOOT = 44, EDGE = 20;  // pixels

export function save(s) {
  const link = document.createElement("a");
  painted(s).toBlob((blob) => {
    link.href = URL.createObjectURL(blob);
    link.download = `${document.title.replace(/[^\w]+/g, "-").replace(/^-|-$/g, "").toLowerCase() || "map"}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

export function painted(s) {
  const view = viewOf(s), canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [view.width * TWICE, (view.height + HEAD + FOOT) * TWICE];
  const ctx = canvas.getContext("2d");
  ctx.scale(TWICE, TWICE);
  ctx.fillStyle = s.theme.ground;
  ctx.fillRect(0, 0, view.width, view.height + HEAD + FOOT);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, HEAD, view.width, view.height);
  ctx.clip();
  if (s.picture.boxed) ctx.drawImage(s.host.querySelector("canvas"), 0, HEAD, view.width, view.height);
  else map(s, ctx, view);
  ctx.restore();
  words(s, ctx, view);
  s.net.redraw();  // what is on the screen takes its labels back
  return canvas;
}

function map(s, ctx, view) {
  ctx.translate(view.width / 2 - view.x, HEAD + view.height / 2 - view.y);
  ctx.scale(view.scale, view.scale);
  draw.below(s, ctx, view);
  draw.above(s, ctx, view);
}

function words(s, ctx, view) {
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.fillStyle = s.theme.text;
  ctx.font = `700 18px ${s.theme.font}`;
  ctx.fillText(document.title, EDGE, HEAD / 2, view.width - 2 * EDGE);
  ctx.font = `400 12px ${s.theme.font}`;
  const line = HEAD + view.height + FOOT / 2;
  let x = EDGE;
  const told = (text, after) => {
    ctx.fillStyle = s.theme.text;
    ctx.fillText(text, x, line);
    x += ctx.measureText(text).width + after;
  };
  for (const item of s.legend.querySelectorAll("button[aria-pressed=true]")) {
    const sign = item.querySelector("span");
    ctx.fillStyle = sign.style.color;
    const mark = sign.textContent || { dotted: "┈", dashed: "╌", solid: "─" }[sign.classList[1]];
    ctx.fillText(mark, x, line);
    x += 16;
    told(item.lastChild.textContent, 16);
  }
  for (const sign of s.legend.querySelectorAll(".atlas-sizes .dot")) {
    const r = sign.clientWidth / 2;
    ctx.fillStyle = s.theme[s.picture.sizes.kind];
    ctx.beginPath();
    if (sign.classList.contains("episode")) ctx.rect(x, line - r, 2 * r, 2 * r);
    else ctx.arc(x + r, line, r, 0, 2 * Math.PI);
    ctx.fill();
    x += 2 * r + 5;
    told(sign.nextSibling.textContent, 12);
  }
  ctx.textAlign = "right";
  ctx.fillText(location.href, view.width - EDGE, line, Math.max(80, view.width - EDGE - x));
}
