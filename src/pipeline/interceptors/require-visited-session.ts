// A visit is for one session: a message that names another one finds nothing.
import { isVisitScope } from "../../kernel/calls/core.ts";
import { nothingHere } from "../../kernel/errors/refusal.ts";
import type { Interceptor } from "../interceptor.ts";

/** Holds calls of pages to the session of their visit. */
export function requireVisitedSession(): Interceptor {
  return {
    name: "require-visited-session",
    enter({ scope, message, visitedSession }) {
      if (!isVisitScope(scope)) return;
      const { sessionId } = message as { readonly sessionId?: string };
      if (sessionId !== visitedSession?.id) throw nothingHere();
    },
  };
}
