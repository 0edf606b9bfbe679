// What a choice lights up, computed in the browser so that it is seen at once: the rule of `lit` in pictures.py.
export function neighbours(s, id) {
  const n = s.node.get(id);
  if (!n) return [];
  const near = (line) => {
    if (line.kind === "TEACHES") return n.group === "concept" || !line.quiet;
    return line.kind === (n.group === "concept" ? "REQUIRES" : "RELATED_TO");
  };
  return [id, ...s.linesAt.get(id).filter(near).map((line) => (line.from === id ? line.to : line.from))];
}
