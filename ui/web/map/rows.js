// A row of the page with the key step_N and the route's stop N point at each other.
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function listenToRows(s, signal) {
  document.addEventListener("pointerover", (e) => {
    const row = e.target.closest?.('[class*="st-key-step_"]');
    const n = row && Number(row.className.match(/st-key-step_(\d+)/)?.[1]);
    if (row || s.pointedByRow) pulse(s, n || null);
    s.pointedByRow = Boolean(row);
  }, { signal });
}

// Let stop `n` beat, and mark its row.
export function pulse(s, n) {
  if (s.pulsed === n) return;
  s.pulsed = n;
  for (const row of document.querySelectorAll(".atlas-pointed")) row.classList.remove("atlas-pointed");
  if (n) document.querySelector(`.st-key-step_${n}`)?.classList.add("atlas-pointed");
  s.host.dataset.pulsed = n || "";
  beat(s);
}

function beat(s) {
  if (s.closed) return;
  s.beat = s.pulsed && !calm.matches ? 0.5 + 0.5 * Math.sin(performance.now() / 160) : 0;
  s.net.redraw();
  if (s.pulsed && !calm.matches) requestAnimationFrame(() => beat(s));
}
