// A page that lies in a file: the map, what is chosen on it, and a plan. All data are in the page, and become text only.
import { neighbours } from "./light.js";
import { mount } from "./mount.js";
import { shared } from "./shared.js";

const part = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child));
  return made;
}

// A link leaves the page only where somebody clicks on it, and only for the web.
function link(url, words) {
  return /^https?:\/\//i.test(url || "") && element("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, words);
}

function named(id, name) {
  if (!shared.cards[id]) return element("span", {}, name);
  return element("button", { type: "button", className: "name", onclick: () => choose(id) }, name);
}

function entry({ id, name, why }) {
  return element("li", {}, named(id, name), why && element("div", { className: "fact" }, why));
}

function showDetails(id) {
  const card = shared.cards[id];
  if (!card) { part("details").replaceChildren(); return; }
  const sections = Object.entries(card.sections).flatMap(([heading, rows]) => [
    element("h3", {}, heading), element("ul", {}, ...rows.map(entry))]);
  const facts = card.facts.filter((fact) => fact).join(" · ");
  part("details").replaceChildren(...[
    element("h2", {}, card.name), element("p", { className: "fact" }, facts), element("p", {}, card.text),
    link(card.url, "Read or hear it"), ...sections].filter((child) => child));
}

function showPlan({ amount, remarks, steps, primer }) {
  const rows = steps.map(({ id, title, facts, why, url }, i) =>
    element("li", { className: `st-key-step_${i + 1}` }, named(id, title),
      element("div", { className: "fact" }, facts.join(" · ")), element("div", {}, why), link(url, "Hear it")));
  const notes = primer.map(({ name, definition, link: url }) =>
    element("li", {}, element("b", {}, name), element("div", {}, definition), link(url, "Read about it")));
  part("plan").append(element("h2", {}, `Listening path: ${amount}`), ...remarks.map((text) => element("p", {}, text)),
    element("ol", {}, ...rows), notes.length && element("h3", {}, "A sentence is enough for"), element("ul", {}, ...notes));
}

const own = { ...shared.state };
const height = innerWidth > 640 ? Math.max(420, innerHeight - 190) : null;

function draw() {
  mount({ parentElement: part("map"), data: { picture: shared.picture.rev, height, ...own }, setTriggerValue: (what, id) => what === "picked" && choose(id) });
}

// The address keeps the choice, so that a link to the page can name a node.
function choose(id) {
  own.selected = shared.cards[id] ? id : null;
  const atlas = document.querySelector(".atlas-canvas")._atlas;
  own.lit = own.selected ? neighbours(atlas, id) : shared.state.lit;
  history.replaceState(null, "", own.selected ? `#${encodeURIComponent(id)}` : location.pathname);
  showDetails(own.selected);
  draw();
}

const byName = new Map(shared.picture.nodes.map((n) => [n.label, n.id]));
part("names").append(...[...byName.keys()].sort().map((value) => element("option", { value })));
part("find").addEventListener("change", (e) => byName.has(e.target.value) && choose(byName.get(e.target.value)));
if (shared.plan) showPlan(shared.plan);
else part("plan").append(element("p", {}, "Choose a name on the map, or find one, to read what it is and what it needs."));
const asked = decodeURIComponent(location.hash.slice(1));
draw();
if (shared.cards[asked]) choose(asked);
