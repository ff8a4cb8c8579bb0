// PDF files read back: what they say, how it is structured, and what is drawn outside of any structure.
import { getDocument, OPS, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

/** An element of the structure tree. */
export interface PdfElement {
  readonly role: string;
  readonly alt: string | undefined;
  readonly lang: string | undefined;
  /** Of a figure: left, bottom, right, top. */
  readonly bbox: readonly number[] | undefined;
  readonly children: readonly PdfElement[];
  /** All text in it. */
  readonly text: string;
}

export type PdfContents = Awaited<ReturnType<typeof readPdf>>;

interface TreeNode {
  readonly role?: string;
  readonly alt?: string;
  readonly lang?: string;
  readonly bbox?: readonly number[];
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly TreeNode[];
}

/** Reads a file. */
export async function readPdf(pdf: Uint8Array) {
  // The reader takes the bytes for itself.
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
  const document = await task.promise;
  try {
    const elements: PdfElement[] = [];
    const artifacts: string[] = [];
    const stray: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const texts = textsOf((await page.getTextContent({ includeMarkedContent: true })).items);
      artifacts.push(...(texts.get("Artifact") ?? []));
      const tree = (await page.getStructTree()) as TreeNode | null;
      elements.push(...(tree?.children ?? []).map((node) => elementOf(node, texts)));
      stray.push(...strayOperations(await page.getOperatorList()));
    }
    const { info, metadata } = await document.getMetadata();
    const preferences = (await document.getViewerPreferences()) as ReadonlyMap<string, unknown> | null;
    const marks = (await document.getMarkInfo()) as unknown as ReadonlyMap<string, unknown> | null;
    return {
      pages: document.numPages,
      /** In reading order, over all pages. */
      elements,
      /** Texts of artifacts. */
      artifacts,
      /** Names of operations that draw outside of structure and artifacts. */
      stray,
      info: info as Record<string, unknown>,
      xmp: metadata?.getRaw() ?? "",
      marked: marks?.get("Marked") === true,
      showsTitle: preferences?.get("DisplayDocTitle") === true,
    };
  } finally {
    await task.destroy();
  }
}

/** Where the texts of a page stand, in points from its lower left, and how large the page is. */
export async function textBoxesOf(pdf: Uint8Array, number = 1) {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
  try {
    const page = await (await task.promise).getPage(number);
    const { items } = await page.getTextContent();
    const boxes = items.flatMap((item) => {
      if (!("str" in item) || item.str.trim() === "") return [];
      const [size, , , , left, bottom] = item.transform as [number, number, number, number, number, number];
      // From a little below the baseline to the height of capitals.
      return [
        { text: item.str, left, right: left + item.width, bottom: bottom - 0.1 * size, top: bottom + 0.65 * size },
      ];
    });
    const [, , width = 0, height = 0] = page.view;
    return { boxes, width, height };
  } finally {
    await task.destroy();
  }
}

/** All elements of a role, wherever they are. */
export function withRole(elements: readonly PdfElement[], role: string): PdfElement[] {
  return elements.flatMap((each) => [...(each.role === role ? [each] : []), ...withRole(each.children, role)]);
}

/** Texts by the id of their marked content; those of artifacts under that name. */
function textsOf(items: readonly object[]): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  const open: string[] = [];
  for (const item of items as { type?: string; id?: string; tag?: string; str?: string; hasEOL?: boolean }[]) {
    if (item.type === "beginMarkedContentProps" || item.type === "beginMarkedContent")
      open.push(item.id ?? item.tag ?? "");
    else if (item.type === "endMarkedContent") open.pop();
    else if (item.str !== undefined) {
      const key = open.at(-1) ?? "none";
      texts.set(key, [...(texts.get(key) ?? []), item.hasEOL ? `${item.str} ` : item.str]);
    }
  }
  return texts;
}

function elementOf(node: TreeNode, texts: ReadonlyMap<string, string[]>): PdfElement {
  const nodes = node.children ?? [];
  const children = nodes.filter(({ role }) => role !== undefined).map((each) => elementOf(each, texts));
  const own = nodes.flatMap(({ type, id }) => (type === "content" ? (texts.get(id ?? "") ?? []) : [])).join("");
  const text = [own, ...children.map((each) => each.text)].filter((each) => each !== "").join(" ");
  return {
    role: node.role ?? "",
    alt: node.alt,
    lang: node.lang,
    bbox: node.bbox,
    children,
    text: text.replace(/\s+/g, " ").trim(),
  };
}

/** Operations that leave marks on a page. */
const painting: readonly (keyof typeof OPS)[] = [
  "showText",
  "fill",
  "stroke",
  "fillStroke",
  "eoFill",
  "closeStroke",
  "paintImageXObject",
  "paintInlineImageXObject",
  "constructPath",
];

function strayOperations({ fnArray }: { readonly fnArray: readonly number[] }): string[] {
  let depth = 0;
  return fnArray.flatMap((operation) => {
    if (operation === OPS.beginMarkedContent || operation === OPS.beginMarkedContentProps) depth += 1;
    if (operation === OPS.endMarkedContent) depth -= 1;
    const name = painting.find((each) => OPS[each] === operation);
    return name !== undefined && depth === 0 ? [name] : [];
  });
}
