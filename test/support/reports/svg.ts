// Numbers and texts read back out of SVG.

/** One element with its attributes and its text. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The elements of a class, in their order. */
export function elementsOf(svg: string, className: string): SvgElement[] {
  const tags = svg.matchAll(/<(\w+)((?: [\w-]+="[^"]*")*)\s*(?:\/>|>([^<]*))/g);
  return [...tags].flatMap(([, name = "", list = "", text = ""]) => {
    const attributes = Object.fromEntries(
      [...list.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
    );
    return attributes.class === className ? [{ name, attributes, text: unescaped(text) }] : [];
  });
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", amp: "&" };
  return text.replace(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity);
}

/** All numbers of an attribute. */
export function numbersIn(text: string | undefined): number[] {
  return [...(text ?? "").matchAll(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)].map(([number]) => Number(number));
}

/** The largest radius of the arcs of a path: the outer one of a sector. */
export function outerRadiusOf(d: string | undefined): number {
  return Math.max(...[...(d ?? "").matchAll(/A([\d.]+),/g)].map(([, radius]) => Number(radius)));
}
