// The page's colours, which a canvas cannot take from variables by itself.
export function themeOf(host) {
  const style = getComputedStyle(host);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const ground = read("background-color");
  const [r, g, b] = (ground.match(/[0-9a-f]{2}/gi) || ["ff", "ff", "ff"]).map((x) => parseInt(x, 16));
  const dark = r + g + b < 384;
  return { dark, ground, text: read("text-color"), line: read("gray-color"), concept: read("blue-color"),
    episode: read("orange-color"), leads: dark ? "#4CC79B" : "#00805C", related: dark ? "#D79BC4" : "#9C4F86",
    accent: read("primary-color"), border: read("border-color"), font: read("font") || "sans-serif" };
}
