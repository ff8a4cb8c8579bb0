// The layers of src as a drawing: what a layer stands on is below it. Arrows that follow from others are left out.
import type { Layer } from "../architecture/layers.ts";

const width = 960;
const rowHeight = 92;
const boxHeight = 44;
const top = 70;

interface Box {
  readonly name: string;
  readonly uses: ReadonlySet<string>;
}

/** An SVG that is readable on light and dark pages alike. Layers of the product are drawn as one. */
export function drawHouse(layers: readonly Layer[]): string {
  const boxes = createBoxes(layers);
  const uses = new Map(boxes.map((box) => [box.name, box.uses]));
  const ranks = rankBoxes(uses);
  const highest = Math.max(...ranks.values());
  const height = top + (highest + 1) * rowHeight;
  const rows = Array.from({ length: highest + 1 }, (_, rank) => boxes.filter(({ name }) => ranks.get(name) === rank));
  const places = new Map(
    rows.flatMap((row, rank) =>
      row.map(({ name }, index) => {
        const step = width / row.length;
        return [name, { x: step * (index + 0.5), y: top + (highest - rank) * rowHeight }] as const;
      }),
    ),
  );
  const at = (name: string) => places.get(name) ?? { x: 0, y: 0 };
  const arrows = boxes.flatMap(({ name }) =>
    [...directUses(name, uses)].map((directUse) => {
      const [from, to] = [at(name), at(directUse)];
      const [start, end] = [from.y + boxHeight / 2, to.y - boxHeight / 2 - 6];
      const middle = (start + end) / 2;
      return `<path class="arrow" d="M${from.x} ${start}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${end}"/>`;
    }),
  );
  const drawnBoxes = boxes.map(({ name }) => {
    const { x, y } = at(name);
    const wide = Math.max(90, name.length * 9 + 26);
    return `<rect class="box" x="${x - wide / 2}" y="${y - boxHeight / 2}" width="${wide}" height="${boxHeight}" rx="8"/>
<text x="${x}" y="${y + 5}" text-anchor="middle">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">The ${boxes.length} layers of src</title>
<desc id="desc">From top to bottom, each layer above those that it imports: ${rows
    .toReversed()
    .map((row) => row.map(({ name }) => name).join(", "))
    .join("; ")}.</desc>
<style>
svg { --ground: #ffffff; --edge: #d0d7de; --ink: #1f2328; --quiet: #818b98; --box: #f6f8fa; }
@media (prefers-color-scheme: dark) {
svg { --ground: #151b23; --edge: #3d444d; --ink: #f0f6fc; --quiet: #656c76; --box: #212830; }
}
text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink); }
.ground { fill: var(--ground); stroke: var(--edge); }
.box { fill: var(--box); stroke: var(--edge); stroke-width: 1.5; }
.arrow { fill: none; stroke: var(--quiet); stroke-width: 1.3; marker-end: url(#tip); }
.tip { fill: var(--quiet); }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="12"/>
${[...arrows, ...drawnBoxes].join("\n")}
</svg>
`;
}

/** Layers with an arrow of their own: what may import all is above everything, generated code below. */
function createBoxes(layers: readonly Layer[]): Box[] {
  const nodes = layers.filter(({ name, mayImport }) => mayImport !== "all" && name !== "gen" && name !== "config");
  const names = new Set(nodes.map(({ name }) => drawnLayer(name)));
  return [...names].map((name) => {
    const usedLayers = nodes
      .filter((layer) => drawnLayer(layer.name) === name)
      .flatMap(({ mayImport }) => (mayImport === "all" ? [] : mayImport.map(drawnLayer)));
    return { name, uses: new Set(usedLayers.filter((each) => each !== name && names.has(each))) };
  });
}

function drawnLayer(layer: string): string {
  return layer.startsWith("products/") ? "products" : layer;
}

/** How high each box stands: above everything that it uses. */
function rankBoxes(uses: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  const rankBox = (name: string): number => {
    const knownRank = ranks.get(name);
    if (knownRank !== undefined) return knownRank;
    const rank = Math.max(-1, ...[...(uses.get(name) ?? [])].map(rankBox)) + 1;
    ranks.set(name, rank);
    return rank;
  };
  for (const name of uses.keys()) rankBox(name);
  return ranks;
}

/** Layers that one uses and that none of the others it uses reaches. */
function directUses(name: string, uses: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const own = uses.get(name) ?? new Set<string>();
  const reached = new Set<string>();
  const reach = (from: string): void => {
    for (const each of uses.get(from) ?? []) {
      if (reached.has(each)) continue;
      reached.add(each);
      reach(each);
    }
  };
  for (const each of own) reach(each);
  return own.difference(reached);
}
