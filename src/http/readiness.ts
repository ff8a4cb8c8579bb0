// Whether requests will be served, asked of the database once a second at most.
import type { Readiness } from "./health-routes.ts";

const maxAgeMs = 1_000;

/**
 * Readiness by the schema: a database that is away or behind is not ready.
 * @param pending names of migrations that are still to be applied; rejects where the database is away
 * @param changed told of every answer that was found anew
 */
export function schemaReadiness(
  pending: () => Promise<readonly string[]>,
  isStopping: () => boolean,
  changed: (isReady: boolean) => void,
): () => Promise<Readiness> {
  let last: { readonly found: Promise<Readiness>; readonly at: number } | undefined;

  const find = async (): Promise<Readiness> => {
    if (isStopping()) return { isReady: false, reason: "The service is stopping." };
    try {
      const missing = await pending();
      if (missing.length === 0) return { isReady: true };
      return { isReady: false, reason: "The database schema is behind; bring it up to date with `pas migrate`." };
    } catch {
      return { isReady: false, reason: "The database cannot be reached." };
    }
  };
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > maxAgeMs || isStopping()) {
      const found = find().then((readiness) => {
        changed(readiness.isReady);
        return readiness;
      });
      last = { found, at: now };
    }
    return last.found;
  };
}
