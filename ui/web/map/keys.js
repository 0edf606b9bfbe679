// "/" puts the cursor into the search of the page, unless one is typing; that or a click selects what stands in it.

const SEARCH = ":is(.st-key-goal_box, .st-key-search) input";

function press(event) {
  const [outer, box] = [document.activeElement, document.querySelector(SEARCH)];
  const at = outer?.shadowRoot?.activeElement ?? outer;
  const typing = at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing || !box) return;
  event.preventDefault();
  box.focus();
  box.select();
}

function point({ target: box }) {
  if (!box.matches?.(SEARCH) || box === document.activeElement) return;
  box.addEventListener("click", () => box.select(), { once: true });
}

// Every page listens, and without a search nothing happens. So the listeners stay, and no page that goes ends them.
export default function () {
  document.addEventListener("keydown", press); // the same function twice is one listener
  document.addEventListener("pointerdown", point);
  document.documentElement.dataset.keys = "/";
}
