// A page of an export: as many sessions as its readers take at most, and where the next page begins.
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { createCursor, type ExportCursor } from "../../domain/exports/position.ts";

/** What a page is made of. */
interface PageSource<M extends DescMessage> {
  /** Of a session. */
  readonly schema: M;
  readonly sessions: AsyncIterable<MessageShape<M> & { readonly sessionId: string }>;
  /** Bytes of all sessions of the page, unless it has one: an export must make progress. */
  readonly maxBytes: number;
  readonly start: ExportCursor;
  /** Id of the last row that was read, which may be of another product; undefined: there was none. */
  readonly lastId: string | undefined;
  /** Whether nothing comes after that row. */
  readonly isEnd: boolean;
  /** When it began to be read, in milliseconds since 1970. */
  readonly now: number;
}

export async function buildExportPage<M extends DescMessage>(source: PageSource<M>) {
  const { schema, maxBytes, start, lastId = start.position, now } = source;
  const sessions: (MessageShape<M> & { readonly sessionId: string })[] = [];
  let bytes = 0;
  for await (const session of source.sessions) {
    bytes += toBinary(schema, session).length;
    const last = sessions.at(-1);
    if (last !== undefined && bytes > maxBytes) {
      return { sessions, nextCursor: createCursor(start, last.sessionId, false, now), atEnd: false };
    }
    sessions.push(session);
  }
  return { sessions, nextCursor: createCursor(start, lastId, source.isEnd, now), atEnd: source.isEnd };
}
