// Whether requests will be served, found out once a second at most.
import type { Readiness } from "./health-routes.ts";

const maxAgeMs = 1_000;

/**
 * Readiness as it is found, kept for a second.
 * @param find looks whether what requests need is there
 * @param isLeaving whether the process is about to stop, whether it still serves or not
 * @param changed notified of every answer that was found anew
 */
export function keptReadiness(
  find: () => Promise<Readiness>,
  isLeaving: () => boolean,
  changed: (isReady: boolean) => void = () => undefined,
): () => Promise<Readiness> {
  let last: { readonly found: Promise<Readiness>; readonly at: number } | undefined;
  const stopping = { isReady: false, reason: "The service is stopping." } as const;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > maxAgeMs || isLeaving()) {
      const found = (isLeaving() ? Promise.resolve(stopping) : find()).then((readiness) => {
        changed(readiness.isReady);
        return readiness;
      });
      last = { found, at: now };
    }
    return last.found;
  };
}
