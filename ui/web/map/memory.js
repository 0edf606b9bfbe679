// Where one looks survives a reload of the page: the same picture and choice come back at the same place and zoom.
const KEY = "atlas-view";

// What a view belongs to; of another picture, choice or route the view is worked out anew.
function of(s) {
  return [location.pathname, s.picture.rev, s.host.dataset.selected, s.host.dataset.route].join(" ");
}

export function keepView(s, signal) {
  addEventListener("pagehide", () => {
    const view = { of: of(s), scale: s.net.getScale(), position: s.net.getViewPosition() };
    sessionStorage.setItem(KEY, JSON.stringify(view));
  }, { signal });
}

// Where one looked before the reload of this picture, null after anything else.
export function keptView(s) {
  const kept = JSON.parse(sessionStorage.getItem(KEY) || "null");
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  if (!again || kept?.of !== of(s)) return null;
  sessionStorage.removeItem(KEY);
  return { scale: kept.scale, position: kept.position };
}
