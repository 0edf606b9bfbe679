// Boxes [left, top, right, bottom] of the screen, kept in strips so that asking whether a place is free costs little.
const STRIP = 48;

export function shelves() {
  const strips = new Map();
  const touched = ([, top, , bottom]) => {
    const found = [];
    for (let i = Math.floor(top / STRIP); i <= Math.floor(bottom / STRIP); i++) found.push(i);
    return found;
  };
  return {
    add: (b) => touched(b).forEach((i) => strips.get(i)?.push(b) || strips.set(i, [b])),
    free: (b) => touched(b).every((i) => (strips.get(i) || []).every((t) => b[0] > t[2] || b[2] < t[0] || b[1] > t[3] || b[3] < t[1])),
  };
}
