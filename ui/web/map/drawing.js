// The order of drawing: grounds and lines below the dots, the route and the names above them.
import { drawGrounds } from "./areas.js";
import { drawDots, drawRing } from "./dots.js";
import { drawLabels } from "./labels.js";
import { drawLines } from "./lines.js";
import { drawRoute } from "./route.js";
import { inPixels, viewOf } from "./view.js";

export const draw = {
  below(s, ctx, view = viewOf(s)) {
    if (s.picture.boxed) return;
    drawGrounds(s, ctx);
    inPixels(ctx, view.scale, () => drawLines(s, ctx, view.scale));
    drawDots(s, ctx, view);
  },
  above(s, ctx, view = viewOf(s)) {
    inPixels(ctx, view.scale, () => {
      if (s.picture.boxed) return;
      for (const id of new Set([s.selected, s.cursor])) if (s.node.has(id)) drawRing(s, ctx, s.node.get(id), view.scale);
      drawRoute(s, ctx, view.scale);
      drawLabels(s, ctx, view);
    });
  },
};
