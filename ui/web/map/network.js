// vis-network: the camera, and the boxes of layered pictures. Dots, lines and names of a map are drawn by us, in pixels
// of the screen, because those of vis-network are in units of the map and vanish when one looks from afar.
import "../vis/vis-network.min.js";

const { vis } = globalThis;

export function createNetwork(s) {
  s.net = new vis.Network(s.host, {}, networkOptions(s));
}

export function loadNetwork(s) {
  const { nodes, edges, boxed } = s.picture;
  s.net.setData(boxed ? { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) } : { nodes: [], edges: [] });
}

export function networkOptions(s) {
  const t = s.theme, given = s.picture.options;
  const of = (border) => ({ background: t.ground, border, highlight: { background: t.ground, border }, hover: { background: t.ground, border } });
  const box = { shape: "box", margin: 9, widthConstraint: { maximum: 150 }, font: { color: t.text, face: t.font, size: 14 }, borderWidth: 1.6 };
  return { ...given,
    groups: { useDefaultGroups: false,
      concept: { ...box, color: of(t.concept), shapeProperties: { borderRadius: 14 } },
      episode: { ...box, color: of(t.episode), shapeProperties: { borderRadius: 3 } } },
    edges: { ...given.edges, width: 1.2, color: { color: t.line, opacity: 0.8 }, arrows: { to: { enabled: true, scaleFactor: 0.55 } } },
    interaction: { ...given.interaction, zoomView: !s.touch && s.host.matches(":focus-within"), dragView: !s.touch } };
}
