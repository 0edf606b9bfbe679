// A page that lies in a file: the map, what is chosen on it, and a plan. All data are in the page, and become text only.

const shared = JSON.parse(document.getElementById("shared").textContent);
const shown = { ...shared.state };
const byName = new Map(shared.picture.nodes.map((n) => [n.label, n.id]));
const height = innerWidth > 640 ? Math.max(420, innerHeight - 190) : null;
const part = (id) => document.getElementById(id);

// The map asks for its picture as it would ask a server; here the page itself answers.
globalThis.fetch = async () => new Response(JSON.stringify(shared.picture));

// A link leaves the page only on a click, and only for the web.
const link = (href, words) =>
  /^https?:\/\//i.test(href || "") && element("a", { href, rel: "noopener noreferrer", target: "_blank" }, words);

function named(id, name) {
  if (!shared.cards[id]) return element("span", {}, name);
  return element("button", { type: "button", className: "name", onclick: () => chooseCard(id) }, name);
}

const fact = (words) => element("div", { className: "fact" }, words);

function showCard({ name, facts, text, url, sections }) {
  const item = (row) => element("li", {}, named(row.id, row.name), row.why && fact(row.why));
  const told = element("p", { className: "fact" }, facts.filter(Boolean).join(" · "));
  const about = [element("h2", {}, name), told, element("p", {}, text)];
  const rows = Object.entries(sections).flatMap(([heading, found]) => [
    element("h3", {}, heading),
    element("ul", {}, ...found.map(item)),
  ]);
  part("details").append(...[...about, link(url, "Read or hear it"), ...rows].filter(Boolean));
}

function showPlan({ amount, remarks, steps, primer }) {
  const rows = steps.map(({ id, title, facts, why, url }, i) => {
    const about = [fact(facts.join(" · ")), element("div", {}, why), link(url, "Hear it")];
    return element("li", { className: `st-key-step_${i + 1}` }, named(id, title), ...about);
  });
  const sentence = ({ name, definition, link: url }) =>
    element("li", {}, element("b", {}, name), element("div", {}, definition), link(url, "Read about it"));
  const told = remarks.map((text) => element("p", {}, text));
  part("plan").append(element("h2", {}, `Listening path: ${amount}`), ...told, element("ol", {}, ...rows));
  const sentences = element("ul", {}, ...primer.map(sentence));
  if (primer.length) part("plan").append(element("h3", {}, "A sentence is enough for"), sentences);
}

function drawMap() {
  const setTriggerValue = (what, id) => what === "picked" && chooseCard(id);
  mount({ parentElement: part("map"), data: { picture: shared.picture.rev, height, ...shown }, setTriggerValue });
}

// The address keeps the choice, so that a link to the page can name a node.
function chooseCard(id) {
  shown.selected = shared.cards[id] ? id : null;
  shown.lit = shown.selected ? neighbours(document.querySelector(".atlas-canvas")._atlas, id) : shared.state.lit;
  history.replaceState(null, "", shown.selected ? `#${encodeURIComponent(id)}` : location.pathname);
  part("details").replaceChildren();
  if (shown.selected) showCard(shared.cards[id]);
  drawMap();
}

part("names").append(...[...byName.keys()].sort().map((value) => element("option", { value })));
part("find").addEventListener("change", (e) => byName.has(e.target.value) && chooseCard(byName.get(e.target.value)));
if (shared.plan) showPlan(shared.plan);
else part("plan").append("Choose a name on the map, or find one, to read what it is and what it needs.");
drawMap();
const asked = decodeURIComponent(location.hash.slice(1));
if (shared.cards[asked]) chooseCard(asked);
