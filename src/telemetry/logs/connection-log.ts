// One line for a connection to the database that cannot be made.
import type { ConnectionTrouble } from "../../database/database.ts";
import type { Logger } from "./logger.ts";

/** An observer that logs: as an error where somebody has to mend something, else as trouble that passes. */
export function connectionObserver(log: Logger): (trouble: ConnectionTrouble) => void {
  return ({ code, host, port, fault, isMisconfigured }) => {
    log[isMisconfigured ? "error" : "warn"]({ code, host, port }, fault);
  };
}
