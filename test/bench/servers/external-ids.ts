// External ids for the persons of the load, and of sessions that are stored.
import { randomInt } from "node:crypto";

const length = 23;

/** A source of external ids that nobody else uses, all of one length. */
export function externalIds(): () => string {
  const start = `person-${randomInt(2 ** 32)
    .toString(36)
    .padStart(7, "0")}`;
  let count = 0;
  return () => {
    count += 1;
    return start + count.toString(36).padStart(length - start.length, "0");
  };
}
