// A visit is for one session: a message that names another one finds nothing.
import { nothingHere } from "../../contract/refusal.ts";
import type { Interceptor } from "../pipeline/interceptor.ts";

/** Holds calls of hosted pages to the session of their visit. */
export function requireVisitedSession(): Interceptor {
  return {
    name: "require-visited-session",
    enter({ scope, message, visitedSessionId }) {
      if (scope !== "hosted") return;
      const { sessionId } = message as { readonly sessionId?: string };
      if (sessionId !== visitedSessionId) throw nothingHere();
    },
  };
}
