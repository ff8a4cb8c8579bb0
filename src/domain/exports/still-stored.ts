// What a replica still shows and the database holds no more: erased persons, deleted parts, cancelled answers.
import type { ExportStore, StoredExport } from "./export-port.ts";

/** The sessions that the database holds by now, each without what was deleted of it. */
export async function stillStored(
  exports: Pick<ExportStore, "listStored">,
  partnerId: string,
  found: readonly StoredExport[],
  signal: AbortSignal,
): Promise<StoredExport[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const stored = new Map((await exports.listStored(partnerId, ids, signal)).map((session) => [session.id, session]));
  return found.flatMap((session) => {
    const now = stored.get(session.id);
    if (now === undefined) return [];
    const { answersDeletedAt, resultsDeletedAt } = now;
    return {
      ...session,
      ...(answersDeletedAt === null ? {} : { answersDeletedAt }),
      ...(now.hasAnswers ? {} : { answers: [] }),
      ...(resultsDeletedAt === null ? {} : { resultsDeletedAt, results: null }),
    };
  });
}
