// A browser session is for one session: a message that names another one finds nothing.
import { isBrowserScope } from "../../kernel/calls/core.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import type { Interceptor } from "../interceptor.ts";

/** Holds calls of pages to the session of their browser session. */
export function requireBoundSession(): Interceptor {
  return {
    name: "require-bound-session",
    enter({ scope, message, boundSession }) {
      if (!isBrowserScope(scope)) return;
      const { sessionId } = message as { readonly sessionId?: string };
      if (sessionId !== boundSession?.id) throw notFound();
    },
  };
}
