// The map as a list, for whoever does not see the canvas: by area, each name a button.
export function fillList(s) {
  s.list.hidden = s.picture.boxed;
  const list = s.list.querySelector("ul");
  list.replaceChildren();
  s.list.ontoggle = () => { if (s.list.open && !list.childElementCount) list.append(...byArea(s)); };
  s.list.open = false;
}

function byArea(s) {
  const names = [...new Set(s.order.map((n) => n.area))].sort();
  return names.map((area) => {
    const item = document.createElement("li"), inner = document.createElement("ul");
    const of = s.order.filter((n) => n.area === area).sort((a, b) => a.label.localeCompare(b.label));
    inner.append(...of.map((n) => entry(s, n)));
    item.append(area || "No area", inner);
    return item;
  });
}

function entry(s, n) {
  const item = document.createElement("li"), made = document.createElement("button");
  made.type = "button";
  made.textContent = n.label;
  made.addEventListener("click", () => s.choose(n.id));
  item.append(made);
  return item;
}
