// What stands around the canvas: the legend, the map as a list, and the picture as a file.

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter(Boolean));
  return made;
}

function sign(className, properties, text = "") {
  const made = element("span", { className, ariaHidden: "true", textContent: text });
  Object.assign(made.style, properties);
  return made;
}

// The legend names just the kinds in view; each is a button that hides or shows its kind.
function showLegend(s) {
  const rows = s.picture.boxed ? [] : kindsOf(s);
  s.legend.hidden = !rows.length;
  s.legend.replaceChildren(...rows.map((row) => legendButton(s, row)));
}

function kindsOf(s) {
  const groups = new Set(s.picture.nodes.map((n) => n.group));
  const looks = new Set(linesDrawn({ ...s, hidden: new Set() }).map(({ look }) => look));
  const concept = s.stops.length ? "concept (hollow: new to you)" : "concept";
  const episode = s.heard.size ? "episode (hollow: heard)" : "episode";
  return [
    s.stops.length && { kind: "route", words: "route", colour: "route", mark: "━" },
    groups.has("concept") && { kind: "concept", words: concept, colour: "concept", mark: "●" },
    groups.has("episode") && { kind: "episode", words: episode, colour: "episode", mark: "■" },
    groups.has("resource") && { kind: "resource", words: "to watch or read", colour: "resource", mark: "◆" },
    ...Object.entries(LOOKS).map(([kind, look]) => looks.has(kind) && { kind, ...look }),
  ].filter(Boolean);
}

function legendButton(s, { kind, words, colour, mark, dash }) {
  const line = dash?.length ? (dash[0] < 4 ? "dotted" : "dashed") : "solid";
  const shown = sign(mark ? "mark" : `line ${line}`, { color: s.theme[colour] }, mark);
  const made = element("button", { type: "button", ariaPressed: String(!s.hidden.has(kind)) }, shown, words);
  made.dataset.kind = kind;
  made.onclick = () => {
    if (!s.hidden.delete(kind)) s.hidden.add(kind);
    showLegend(s);
    s.legend.querySelector(`[data-kind=${kind}]`)?.focus();
    s.net.redraw();
  };
  return made;
}

// The map as a list, for whoever does not see the canvas: by area, each name a button. It is filled when it is opened.
function fillList(s) {
  const list = s.list.querySelector("ul");
  s.list.hidden = s.picture.boxed;
  s.list.open = false;
  list.replaceChildren();
  s.list.ontoggle = () => {
    if (!s.list.open || list.childElementCount) return;
    for (const area of [...new Set(s.order.map((n) => n.area))].sort()) {
      const nodes = s.order.filter((n) => n.area === area).sort((a, b) => a.label.localeCompare(b.label));
      const onclick = (n) => () => (choose(s, n.id), (s.picked = null)); // the view follows, as with a name in the panel
      const button = (n) => element("button", { type: "button", onclick: onclick(n) }, n.label);
      const inner = element("ul", {}, ...nodes.map((n) => element("li", {}, button(n))));
      list.append(element("li", {}, area || "No area", inner));
    }
  };
}

// The picture as a file: at twice the size, with its title, its legend and the address that leads back to it.
function save(s) {
  paintedFile(s).toBlob((blob) => {
    const words = document.title.toLowerCase().match(/\w+/g) || ["map"];
    const link = element("a", { href: URL.createObjectURL(blob), download: `${words.join("-")}.png` });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

function paintedFile(s) {
  const [head, foot, edge] = [44, 44, 20]; // pixels
  const view = viewOf(s);
  const canvas = element("canvas", { width: view.width * 2, height: (view.height + head + foot) * 2 });
  const ctx = canvas.getContext("2d");
  ctx.scale(2, 2);
  ctx.fillStyle = s.theme.ground;
  ctx.fillRect(0, 0, view.width, view.height + head + foot);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, head, view.width, view.height);
  ctx.clip();
  if (s.picture.boxed) ctx.drawImage(s.host.querySelector("canvas"), 0, head, view.width, view.height);
  else {
    ctx.translate(view.width / 2 - view.x, head + view.height / 2 - view.y);
    ctx.scale(view.scale, view.scale);
    drawBelow(s, ctx, view);
    drawAbove(s, ctx, view);
  }
  ctx.restore();
  const { text, font } = s.theme;
  Object.assign(ctx, { textBaseline: "middle", textAlign: "left", fillStyle: text, font: `700 18px ${font}` });
  ctx.fillText(document.title, edge, head / 2, view.width - 2 * edge);
  const line = head + view.height + foot / 2;
  const end = writeLegend(s, ctx, edge, line);
  ctx.textAlign = "right";
  ctx.fillText(location.href, view.width - edge, line, Math.max(80, view.width - edge - end));
  s.net.redraw(); // what is on the screen takes its labels back
  return canvas;
}

// Write the legend from `x` on, and return where it ends.
function writeLegend(s, ctx, x, line) {
  ctx.font = `400 12px ${s.theme.font}`;
  const put = (text, colour, room) => {
    ctx.fillStyle = colour;
    ctx.fillText(text, x, line);
    x += room ?? ctx.measureText(text).width + 16;
  };
  for (const item of s.legend.querySelectorAll("button[aria-pressed=true]")) {
    const { style, textContent, classList } = item.firstChild;
    put(textContent || { dotted: "┈", dashed: "╌", solid: "─" }[classList[1]], style.color, 16);
    put(item.lastChild.textContent, s.theme.text);
  }
  return x;
}
