// The legend names just the kinds in view; each is a button that hides or shows its kind.
import { LOOKS, linesDrawn } from "./lines.js";

export function showLegend(s) {
  const rows = s.picture.boxed ? [] : kinds(s);
  s.legend.hidden = !rows.length;
  const told = !s.stops.length && rows.some(({ kind }) => kind === s.picture.sizes?.kind) ? [sizes(s)] : [];
  s.legend.replaceChildren(...rows.map((row) => button(s, row)), ...told);
}

// What a small and a large dot of the kind stand for whose sizes differ. A route is read without them.
function sizes(s) {
  const { kind, least, most, told } = s.picture.sizes, made = document.createElement("span");
  made.className = "atlas-sizes";
  made.title = told;
  for (const [size, words] of [["small", least], ["large", most]]) {
    const sign = document.createElement("span");
    sign.setAttribute("aria-hidden", "true");
    sign.className = `dot ${kind} ${size}`;
    sign.style.background = s.theme[kind];
    made.append(sign, words);
  }
  return made;
}

function kinds(s) {
  const groups = new Set(s.picture.nodes.map((n) => n.group));
  const hiddenOnes = s.hidden;
  s.hidden = new Set();
  const looks = new Set(linesDrawn(s).map(({ look }) => look));
  s.hidden = hiddenOnes;
  const found = [];
  if (s.stops.length) found.push({ kind: "route", words: "route", colour: "episode", mark: "━" });
  if (groups.has("concept")) found.push({ kind: "concept", words: s.stops.length ? "concept (filled: known)" : "concept", colour: "concept", mark: "●" });
  if (groups.has("episode")) found.push({ kind: "episode", words: s.heard.size ? "episode (hollow: heard)" : "episode", colour: "episode", mark: "■" });
  for (const [kind, look] of Object.entries(LOOKS)) if (looks.has(kind)) found.push({ kind, words: look.words, colour: look.colour, dash: look.dash });
  return found;
}

function button(s, { kind, words, colour, mark, dash }) {
  const made = document.createElement("button");
  made.type = "button";
  made.setAttribute("aria-pressed", String(!s.hidden.has(kind)));
  made.dataset.kind = kind;
  const sign = document.createElement("span");
  sign.setAttribute("aria-hidden", "true");
  sign.style.color = s.theme[colour];
  sign.className = mark ? "mark" : `line ${dash.length ? (dash[0] < 4 ? "dotted" : "dashed") : "solid"}`;
  sign.textContent = mark || "";
  made.append(sign, words);
  made.addEventListener("click", () => {
    if (!s.hidden.delete(kind)) s.hidden.add(kind);
    showLegend(s);
    s.legend.querySelector(`[data-kind=${kind}]`)?.focus();
    s.net.redraw();
  });
  return made;
}
