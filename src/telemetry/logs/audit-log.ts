// One line for every anchor of the audit log: where logs are kept out of reach, whoever cuts the audit log is found out.
import type { Logger } from "./logger.ts";

interface Anchor {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** An observer that logs. The line holds what `pas audit verify --head` takes. */
export function anchorObserver(log: Logger): (anchor: Anchor) => void {
  return ({ sequence, hash }) =>
    log.info({ anchor: `${sequence}:${Buffer.from(hash).toString("hex")}` }, "audit anchor");
}
