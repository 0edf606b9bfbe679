// "/" puts the cursor into the search of the page, unless somebody is typing.

const SEARCH = ".st-key-search input";

function press(event) {
  const at = document.activeElement;
  const typing = at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
  const box = document.querySelector(SEARCH);
  if (!box) return;
  event.preventDefault();
  box.focus();
}

// Every page listens, and without a search nothing happens. So the listener stays, and no page that goes ends it.
export default function () {
  document.addEventListener("keydown", press);  // the same function twice is one listener
  document.documentElement.dataset.keys = "/";
}
