// Fingers: one scrolls the page, two move and zoom the map.
export function listenToTouch(s, signal) {
  let last = null;
  const pair = ([a, b]) => ({ x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2,
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1 });
  s.host.addEventListener("touchstart", (e) => {
    if (!s.touch) { s.touch = true; s.net.setOptions({ interaction: { dragView: false, zoomView: false } }); }
    last = e.touches.length === 2 ? pair(e.touches) : null;
  }, { signal, capture: true, passive: true });
  s.host.addEventListener("touchmove", (e) => {
    if (e.touches.length !== 2) return;
    e.preventDefault();  // the page must not scroll along
    const now = pair(e.touches);
    if (last) moved(s, last, now);
    last = now;
  }, { signal, passive: false });
}

// What lay between the fingers stays between them.
function moved(s, last, now) {
  const box = s.host.getBoundingClientRect(), before = s.net.getScale(), middle = s.net.getViewPosition();
  const scale = Math.min(4, Math.max(0.02, before * (now.apart / last.apart)));
  const place = (axis, side, size) => {
    const held = middle[axis] + (last[axis] - box[side] - size / 2) / before;
    return held - (now[axis] - box[side] - size / 2) / scale;
  };
  s.net.moveTo({ scale, position: { x: place("x", "left", box.width), y: place("y", "top", box.height) }, animation: false });
}
