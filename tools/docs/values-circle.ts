// The circle of the values as a drawing, with the pairings of one value.
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";

const width = 800;
const height = 560;
const centre = { x: width / 2, y: 260 };
const radius = 200;
const labelRadius = 220;

/** An SVG that is readable on light and dark pages alike: it brings its own ground. @param example id of the value shown */
export function drawValuesCircle({ values, pairings }: Definition, example: number): string {
  const places = new Map(values.map(({ id }, index) => [id, (2 * Math.PI * index) / values.length - Math.PI / 2]));
  const at = (id: number, distance: number) => {
    const angle = places.get(id) ?? 0;
    return { x: centre.x + distance * Math.cos(angle), y: centre.y + distance * Math.sin(angle) };
  };
  const own = pairings.filter((pairing) => pairing.values.includes(example));
  const lines = own.map(({ values: [a, b], kind }) => {
    const [from, to] = [at(a, radius), at(b, radius)];
    return `<line class="${kind}" x1="${px(from.x)}" y1="${px(from.y)}" x2="${px(to.x)}" y2="${px(to.y)}"/>`;
  });
  const dots = values.map(({ id }) => {
    const { x, y } = at(id, radius);
    return `<circle class="${id === example ? "shown" : "value"}" cx="${px(x)}" cy="${px(y)}" r="${id === example ? 8 : 6}"/>`;
  });
  const labels = values.map(({ id, name }) => {
    const { x, y } = at(id, labelRadius);
    const side = x - centre.x;
    const anchor = Math.abs(side) < 12 ? "middle" : side > 0 ? "start" : "end";
    const weight = id === example ? ' class="strong"' : "";
    return `<text${weight} x="${px(x)}" y="${px(y + baselineShift(y))}" text-anchor="${anchor}">${id} ${name}</text>`;
  });
  const { name: exampleName } = values.find(({ id }) => id === example) ?? { name: "" };
  const partners = (kind: string) =>
    own
      .filter((pairing) => pairing.kind === kind)
      .map((pairing) => values.find(({ id }) => id !== example && pairing.values.includes(id))?.name)
      .join(", ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">The ${values.length} values in a circle</title>
<desc id="desc">Clockwise: ${values.map((value) => value.name).join(", ")}. ${exampleName} pulls the same way as ${partners("harmony")}, and apart from ${partners("conflict")}.</desc>
<style>
svg { --ground: #ffffff; --edge: #d0d7de; --ink: #1f2328; --quiet: #59636e; --harmony: #0969da; --conflict: #bc4c00; }
@media (prefers-color-scheme: dark) {
svg { --ground: #151b23; --edge: #3d444d; --ink: #f0f6fc; --quiet: #9198a1; --harmony: #4493f8; --conflict: #f0883e; }
}
text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink); }
.strong { font-weight: 700; }
.ground { fill: var(--ground); stroke: var(--edge); }
.ring { fill: none; stroke: var(--edge); stroke-width: 2; }
.value { fill: var(--quiet); }
.shown { fill: var(--ink); }
.harmony { stroke: var(--harmony); stroke-width: 2.5; }
.conflict { stroke: var(--conflict); stroke-width: 2.5; stroke-dasharray: 7 5; }
</style>
<rect class="ground" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="12"/>
<circle class="ring" cx="${centre.x}" cy="${centre.y}" r="${radius}"/>
${[...lines, ...dots, ...labels].join("\n")}
<line class="harmony" x1="80" y1="525" x2="120" y2="525"/>
<text x="130" y="530">pulls the same way as ${exampleName}</text>
<line class="conflict" x1="450" y1="525" x2="490" y2="525"/>
<text x="500" y="530">pulls apart from ${exampleName}</text>
</svg>
`;
}

/** Moves a label up at the top of the circle and down at its bottom, so that it clears its dot. */
function baselineShift(y: number): number {
  return 5 + (8 * (y - centre.y)) / radius;
}

function px(length: number): string {
  return String(Number(length.toFixed(1)));
}
