// A page of an export: as many sessions as its readers take at most, and where the next page begins.
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { createCursor, readBeginning } from "../../domain/exports/position.ts";
import type { Dependencies } from "../dependencies.ts";

/** The id of a stored session, and its message; undefined: it is not part of the export. */
type Row<M extends DescMessage> = readonly [id: string, session: MessageShape<M> | undefined];

/**
 * The page after a cursor. Throws `invalid_request` for a cursor that is none.
 * @param schema of a session
 * @param maxRows of a page. Its sessions have `exportBytes` at most unless there is only one: an export must make progress
 * @param readRows reads the sessions after an id, in the order of their ids
 */
export async function readExportPage<M extends DescMessage>(
  { clock, batchSizes }: Pick<Dependencies, "batchSizes" | "clock">,
  schema: M,
  after: string,
  maxRows: number,
  readRows: (after: string) => AsyncIterable<Row<M>>,
) {
  const now = clock();
  const start = readBeginning(after, now);
  const sessions: MessageShape<M>[] = [];
  let [bytes, rowCount, lastId] = [0, 0, start.position];
  const finish = (atEnd: boolean) => ({ sessions, nextCursor: createCursor(start, lastId, atEnd, now), atEnd });
  for await (const [id, session] of readRows(start.position)) {
    if (session !== undefined) {
      bytes += toBinary(schema, session).length;
      if (sessions.length > 0 && bytes > batchSizes.exportBytes) return finish(false);
      sessions.push(session);
    }
    lastId = id;
    rowCount += 1;
    if (rowCount === maxRows) return finish(false);
  }
  return finish(true);
}
