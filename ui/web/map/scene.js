// A picture, indexed for drawing: nodes by id and by weight, the lines at each node, and the areas' grounds.
import { areaPlaces, bridgesOf } from "./areas.js";

export function indexed(picture) {
  const node = new Map(picture.nodes.map((n) => [n.id, n]));
  const order = [...picture.nodes].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
  const at = new Map(picture.nodes.map((n) => [n.id, []]));
  for (const line of picture.edges) { at.get(line.from).push(line); at.get(line.to).push(line); }
  const areas = picture.areas
    .map((area) => ({ ...area, members: picture.nodes.filter((n) => n.area === area.name) }))
    .filter((area) => area.members.length)
    .map((area) => ({ ...area, places: areaPlaces(area.members, picture.nodes), bridges: bridgesOf(area.members) }));
  return { picture, node, order, linesAt: at, areas };
}
