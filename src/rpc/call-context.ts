// What interceptors tell each other, and the implementation, about a call.
import { type ContextKey, createContextKey } from "@connectrpc/connect";
import type { TokenOwner } from "../domain/tokens.ts";
import type { Principal } from "./service.ts";

/** Owner of the call's access token, where that is known without asking the database; set by admission. */
export const callOwner: ContextKey<TokenOwner | undefined> = createContextKey<TokenOwner | undefined>(undefined);

/** Who calls; set by authentication. */
export const callPrincipal: ContextKey<Principal | undefined> = createContextKey<Principal | undefined>(undefined);

/** Id of the one session that the caller's visit is for; set by authentication. */
export const callVisit: ContextKey<string | undefined> = createContextKey<string | undefined>(undefined);

/** When the call's time is over, by the clock; set by the transport. */
export const callEndsAt: ContextKey<number> = createContextKey(0);
