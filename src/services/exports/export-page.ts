// Builds a page of an export: as many sessions as its readers take at most, and where the next page begins.
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { cursorAfter, type ExportCursor } from "../../domain/exports/position.ts";

export class ExportPage<M extends DescMessage> {
  readonly sessions: (MessageShape<M> & { readonly sessionId: string })[] = [];
  readonly #schema: M;
  readonly #maxBytes: number;
  #bytes = 0;
  #isCut = false;

  /** @param schema of a session. @param maxBytes of all sessions, unless there is one */
  constructor(schema: M, maxBytes: number) {
    this.#schema = schema;
    this.#maxBytes = maxBytes;
  }

  /** Adds a session if it fits. The first one always does: an export must make progress. @returns whether it was added */
  add(session: MessageShape<M> & { readonly sessionId: string }): boolean {
    const bytes = this.#bytes + toBinary(this.#schema, session).length;
    this.#isCut = this.#bytes > 0 && bytes > this.#maxBytes;
    if (this.#isCut) return false;
    this.#bytes = bytes;
    this.sessions.push(session);
    return true;
  }

  /**
   * Where the page ends. @param last the last row that was read; it may be of another product. @param isEnd whether nothing
   * came after it. @param now when it began to be read
   */
  endOf(
    begin: ExportCursor,
    { last, isEnd, now }: { readonly last: string; readonly isEnd: boolean; readonly now: number },
  ) {
    const end = this.#isCut ? (this.sessions.at(-1)?.sessionId ?? last) : last;
    const atEnd = isEnd && !this.#isCut;
    return { nextCursor: cursorAfter(begin, end, atEnd, now), atEnd };
  }
}
