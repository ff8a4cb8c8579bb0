// What reports use of pdfkit 0.20; the types that others publish are of an older version.
declare module "pdfkit" {
  import type { Readable } from "node:stream";
  import type { Font } from "fontkit";

  export interface StructureOptions {
    readonly lang?: string;
    readonly alt?: string;
    /** Left, top, right, bottom on the page. */
    readonly bbox?: readonly [number, number, number, number];
    readonly placement?: "Block" | "Inline";
    readonly scope?: "Row" | "Column";
  }

  /** An element of the structure tree. */
  export interface StructureElement {
    add(child: StructureElement | (() => void)): this;
    end(): void;
  }

  export interface DocumentOptions {
    readonly size: readonly [number, number];
    readonly margin: number;
    readonly font: Font;
    readonly pdfVersion: "1.7";
    readonly subset: "PDF/UA";
    readonly tagged: true;
    readonly displayTitle: true;
    readonly lang: string;
    readonly autoFirstPage: false;
    readonly bufferPages: true;
    readonly info: Readonly<Record<string, string | Date>>;
  }

  export class PDFDocument extends Readable {
    constructor(options: DocumentOptions);
    addPage(): this;
    switchToPage(index: number): unknown;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    end(): void;
    /** Title and others of the document. */
    info: Readonly<Record<string, string | Date>>;
    /** Called by `end`, when `info` is written; puts the same into the metadata stream. */
    endMetadata(): void;

    registerFont(name: string, font: Font): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string): number;
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: "alphabetic" },
    ): this;
    image(source: Buffer, x: number, y: number, options: { readonly fit: readonly [number, number] }): this;

    save(): this;
    restore(): this;
    translate(x: number, y: number): this;
    scale(factor: number): this;
    path(d: string): this;
    circle(x: number, y: number, radius: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    clip(): this;
    fill(color?: string): this;
    stroke(color?: string): this;
    fillAndStroke(fill: string, stroke: string): this;
    fillColor(color: string): this;
    lineWidth(width: number): this;
    lineCap(cap: "butt" | "round"): this;
    dash(length: number, options: { readonly space: number }): this;
    undash(): this;

    struct(tag: string, options?: StructureOptions): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: "Artifact", options?: { readonly type: "Layout" | "Pagination" }): this;
    endMarkedContent(): this;
  }
}

declare module "pdfkit/output" {
  import type { PDFDocument } from "pdfkit";

  export function toBytes(document: PDFDocument): Promise<Uint8Array>;
}
