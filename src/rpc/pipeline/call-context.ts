// What interceptors tell each other, and the implementation, about a call.
import { type ContextKey, createContextKey } from "@connectrpc/connect";
import type { Principal } from "./implementation.ts";

/** Who calls; set by authentication. */
export const callPrincipal: ContextKey<Principal | undefined> = createContextKey<Principal | undefined>(undefined);

/** Id of the one session that the caller's visit is for; set by authentication. */
export const callVisit: ContextKey<string | undefined> = createContextKey<string | undefined>(undefined);

/** When the call's time is over, by the clock; set by the transport. */
export const callEndsAt: ContextKey<number> = createContextKey(0);
