// "/" puts the cursor into the search of the page, unless one is typing; that or a click selects what stands in it.
// And an open page outlives its server: it says that it has stopped, and goes on when it is there again.

const SEARCH = ":is(.st-key-goal_box, .st-key-search) input";
const STATES = ["data-test-connection-state", "data-test-script-state"];
const root = document.documentElement;
const gone = {}; // whether it has, the line that says so, the run that brings the page up to date, how to ask for it

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
  const [lost, main] = [testConnectionState !== "CONNECTED", document.querySelector("[data-testid=stMain]")];
  if (lost && !gone.lost) setTimeout(say, 2000);
  else if (!lost && gone.lost) {
    if (root.dataset.next) return location.assign(root.dataset.next);
    gone.run = main.inert = true;
    gone.ask("back", true);
    setTimeout(() => gone.run === true && location.reload(), 10_000); // no run has begun
  } else if (gone.run && testScriptState === "running") gone.run = "begun";
  else if (gone.run === "begun") main.inert = gone.run = !(gone.line.hidden = true);
  root.toggleAttribute("data-lost", (gone.lost = lost));
}

// Only a server that refuses has stopped; a busy one answers late. Streamlit's own words would cover the page.
async function say() {
  const refuses = await fetch("/_stcore/health", { cache: "no-store" }).then(() => false, () => true);
  if (!gone.lost) return;
  gone.line.querySelector("code").textContent = `torchatlas${location.port === "8501" ? "" : ` --port ${location.port}`}`;
  gone.line.hidden = !refuses;
  document.querySelector('[data-testid=stDialog] button[aria-label="Close"]')?.click();
  setTimeout(say, 1000);
}

// Every page listens, and without a search nothing happens. So the listeners stay, and no page that goes ends them.
export default function ({ parentElement, setTriggerValue }) {
  Object.assign(gone, { line: parentElement.querySelector("[role=alert]"), ask: setTriggerValue });
  document.addEventListener("keydown", press); // the same function twice is one listener
  document.addEventListener("pointerdown", point);
  if (!root.dataset.keys) {
    const app = document.querySelector("[data-testid=stApp]");
    new MutationObserver(() => watch(app.dataset)).observe(app, { attributeFilter: STATES });
  }
  root.dataset.keys = "/";
}
