// Words on the canvas, with a halo of the ground's colour, so that they can be read over dots and lines.
export function write(ctx, text, { x, y, colour, halo }) {
  ctx.strokeStyle = halo;
  ctx.lineWidth = 3.5;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}
