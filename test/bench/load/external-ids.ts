// External ids for the persons of the load.
import { randomInt } from "node:crypto";
import { placeholders } from "./connections/connection.ts";

/** A source of external ids that nobody else uses, each as long as its placeholder. */
export function externalIds(): () => string {
  const { length } = placeholders.externalId;
  const start = `person-${randomInt(2 ** 32)
    .toString(36)
    .padStart(7, "0")}`;
  let count = 0;
  return () => {
    count += 1;
    return start + count.toString(36).padStart(length - start.length, "0");
  };
}
