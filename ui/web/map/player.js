// The player at the foot of every page. Before Play nothing is fetched from the audio's host. Where a person was in an
// episode, and the speed, are kept in this browser alone.

const [PLACE, SPEED, RESUME] = ["atlas-at:", "atlas-speed", "atlas-resume"];
const say = (p, words) => Object.assign(p.trouble, { hidden: !words, textContent: `${words} Try again` });

export default function ({ parentElement, data }) {
  const section = parentElement.querySelector("section");
  show((section.atlas ||= create(section)), data);
}

function create(section) {
  const [title, audio, speed, trouble] = section.querySelectorAll("strong, audio, select, button");
  const p = { title, audio, trouble, shown: {} };
  speed.value = localStorage.getItem(SPEED) || "1×";
  (speed.onchange = () => {
    localStorage.setItem(SPEED, speed.value);
    audio.defaultPlaybackRate = audio.playbackRate = parseFloat(speed.value);
  })();
  for (const event of ["play", "playing", "progress", "timeupdate", "seeking", "pause"])
    audio.addEventListener(event, () => follow(p));
  audio.onerror = () => p.shown.id && fail(p);
  audio.onended = () => localStorage.removeItem(PLACE + p.shown.id);
  trouble.onclick = () => play(p, p.at, audio.load());
  document.addEventListener("securitypolicyviolation", (e) => (p.blocked ||= e.effectiveDirective === "media-src"));
  return p;
}

function show(p, shown) {
  const [before, resumed] = [p.shown, shown.id && sessionStorage.getItem(RESUME) === shown.id];
  Object.assign(p, { shown, resumed });
  sessionStorage.removeItem(RESUME);
  p.title.textContent = shown.title ?? "";
  document.documentElement.toggleAttribute("data-player", Boolean(shown.id));
  if (shown.id !== before.id) {
    Object.assign(p, { at: Number(localStorage.getItem(PLACE + shown.id)) || shown.at, blocked: false });
    say(p, "");
    p.audio.src = shown.src ?? "";
    p.audio.currentTime = p.at ?? 0; // from there it begins to load
  }
  if (resumed || (shown.press && shown.press !== before.press)) play(p, resumed || shown.resumes ? p.at : shown.at);
}

function play(p, at) {
  Object.assign(p, { at }).audio.currentTime = at;
  p.audio.play().catch(() => {}); // an error has its event; a browser that wants a click first shows its button
}

// Keep where one is, and notice when nothing comes any more.
function follow(p) {
  clearTimeout(p.timer);
  if (p.audio.error || !p.shown.id) return;
  p.at = p.audio.currentTime;
  localStorage.setItem(PLACE + p.shown.id, Math.floor(p.at));
  say(p, "");
  const { host } = new URL(p.shown.src);
  if (!p.audio.paused) p.timer = setTimeout(say, 8000, p, `Nothing more comes from ${host}.`);
}

// The program asks the host why. Where that leads to another one, the next page may play from there too.
async function fail(p) {
  clearTimeout(p.timer);
  const { shown, resumed } = p;
  const answer = await fetch("/atlas/sounds?" + new URLSearchParams({ of: shown.src })).then((found) => found.text(), () => "");
  if (p.shown.id !== shown.id) return;
  if (answer || !p.blocked || resumed) return say(p, `${answer || "This audio cannot be played"}.`);
  sessionStorage.setItem(RESUME, shown.id);
  location.reload();
}
