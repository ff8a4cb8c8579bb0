// Messages that a response always has.
import { Refusal } from "../../kernel/errors/refusal.ts";

/** The message. Throws `internal` where the core left it out. */
export function present<T>(message: T | undefined): T {
  if (message === undefined) throw new Refusal("internal", "The service made a mistake.");
  return message;
}
