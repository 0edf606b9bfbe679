// "/" puts the cursor into the search of the page, unless one is typing; that or a click selects what stands in it.
// And an open page outlives its server: it says that it has stopped, and goes on when it is there again.

const SEARCH = ":is(.st-key-goal_box, .st-key-search) input";
const STATES = ["data-test-connection-state", "data-test-script-state"];
const root = document.documentElement;
const gone = {}; // the line that says so, a timer, the run that brings the page up to date, and how to ask for it

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

// Streamlit connects again by itself. A server that was started anew knows no part of this page, so that clicks on it
// would be lost: one whole run comes first, and until it has ended nothing can be pressed.
function watch({ testConnectionState, testScriptState }) {
  const back = testConnectionState === "CONNECTED";
  if (!back && !root.dataset.lost) {
    root.dataset.lost = "yes";
    gone.timer = setTimeout(say, 2000);
  } else if (back && root.dataset.lost) {
    delete root.dataset.lost;
    clearTimeout(gone.timer);
    if (root.dataset.next) return location.assign(root.dataset.next);
    gone.run = hold(true);
    gone.ask("back", true);
  } else if (gone.run && testScriptState === "running") gone.run = "begun";
  else if (gone.run === "begun") gone.run = hold(false);
}

function hold(held) {
  for (const part of document.querySelectorAll("[data-testid=stMain]")) part.inert = held;
  gone.line.hidden ||= !held;
  return held;
}

// Only a server that refuses has stopped; a busy one answers late.
async function say() {
  const refuses = await fetch("/_stcore/health", { cache: "no-store" }).then(() => false, () => true);
  if (root.dataset.lost && refuses) gone.line.hidden = false;
  else if (root.dataset.lost) gone.timer = setTimeout(say, 4000);
}

// Streamlit's own words, about the internet, would cover the page.
function close() {
  if (root.dataset.lost) document.querySelector('[data-testid=stDialog] button[aria-label="Close"]')?.click();
}

// A link that is pressed without a server opens once there is one.
function follow(event) {
  const link = event.composedPath().find((part) => part.href?.startsWith?.(location.origin));
  if (!root.dataset.lost || !link) return;
  event.preventDefault();
  event.stopPropagation();
  root.dataset.next = link.href;
}

// Every page listens, and without a search nothing happens. So the listeners stay, and no page that goes ends them.
export default function ({ parentElement, setTriggerValue }) {
  Object.assign(gone, { line: parentElement.querySelector("[role=alert]"), ask: setTriggerValue });
  document.addEventListener("keydown", press); // the same function twice is one listener
  document.addEventListener("pointerdown", point);
  document.addEventListener("click", follow, true);
  if (!root.dataset.keys) {
    const app = document.querySelector("[data-testid=stApp]");
    new MutationObserver(() => watch(app.dataset)).observe(app, { attributeFilter: STATES });
    new MutationObserver(close).observe(document.body, { childList: true });
  }
  root.dataset.keys = "/";
}
