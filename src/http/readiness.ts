// Whether requests will be served, asked once a second at most.
import type { Readiness } from "./health-routes.ts";

const maxAgeMs = 1_000;

/**
 * Readiness of the process.
 * @param ask why requests would not be served, in words for operators; undefined: they would. Never rejects.
 * @param changed told of every response that was found anew
 */
export function processReadiness(
  ask: () => Promise<string | undefined>,
  isStopping: () => boolean,
  changed: (isReady: boolean) => void,
): () => Promise<Readiness> {
  let last: { readonly found: Promise<Readiness>; readonly at: number } | undefined;

  const find = async (): Promise<Readiness> => {
    if (isStopping()) return { isReady: false, reason: "The service is stopping." };
    const fault = await ask();
    return fault === undefined ? { isReady: true } : { isReady: false, reason: fault };
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
