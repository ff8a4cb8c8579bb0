// Refuses a call that would be refused anyway, before anything of its message is read. It takes no slot.

import type { Interceptor } from "../interceptor.ts";
import type { PacedAdmission } from "../limits/paced-admission.ts";

/** Checks the client of a call that is known by its token. */
export function checkAdmission(admission: PacedAdmission): Interceptor {
  return {
    name: "check-admission",
    enter: ({ principal }) => (principal === undefined ? undefined : admission.check(principal.clientId)),
  };
}
