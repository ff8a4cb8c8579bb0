// A page of an export: as many sessions as its readers take at most, and where the next page begins.
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { createCursor, type ExportCursor } from "../../domain/exports/position.ts";

/** What a page is made of. */
interface PageSource<M extends DescMessage, Row> {
  /** Of a session. */
  readonly schema: M;
  /** In the order of their ids. */
  readonly rows: readonly Row[];
  /** How many rows were requested: with fewer, nothing comes after them. */
  readonly size: number;
  readonly start: ExportCursor;
  /** When they began to be read, in milliseconds since 1970. */
  readonly now: number;
  /** Bytes of all sessions of the page, unless it has one: an export must make progress. */
  readonly maxBytes: number;
}

/** @param toSession the session of a row; undefined: it is not part of the export */
export async function buildExportPage<M extends DescMessage, Row extends { readonly id: string }>(
  { schema, rows, size, start, now, maxBytes }: PageSource<M, Row>,
  toSession: (row: Row) => Promise<MessageShape<M> | undefined>,
) {
  const sessions: MessageShape<M>[] = [];
  let [bytes, lastId] = [0, start.position];
  const finish = (atEnd: boolean) => ({ sessions, nextCursor: createCursor(start, lastId, atEnd, now), atEnd });
  for (const row of rows) {
    const session = await toSession(row);
    bytes += session === undefined ? 0 : toBinary(schema, session).length;
    if (sessions.length > 0 && bytes > maxBytes) return finish(false);
    if (session !== undefined) sessions.push(session);
    lastId = row.id;
  }
  return finish(rows.length < size);
}
