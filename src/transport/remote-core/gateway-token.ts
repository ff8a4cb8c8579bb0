// The token of a gateway in its own process: fetched when needed, cached until shortly before it expires, and dropped when the
// core refuses it.
import type { Client } from "@connectrpc/connect";
import type { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { isRefusalOfCore, unreachable } from "./core-errors.ts";

/** A token is replaced while this share of its life is left. */
const renewalShare = 0.1;
/** After the core refused the gateway's credentials, it is not asked again for this time: it counts every request. */
const refusedPauseMs = 5_000;

export interface GatewayCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface GatewayTokenDeps {
  readonly tokens: Pick<Client<typeof TokenService>, "issueToken">;
  readonly credentials: GatewayCredentials;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export class GatewayToken {
  readonly #deps: GatewayTokenDeps;
  #current: { readonly token: Promise<string>; renewAt: number } | undefined;

  constructor(deps: GatewayTokenDeps) {
    this.#deps = deps;
  }

  /** A valid token. Throws `unavailable`, with the cause for the log, if the core gives none. */
  get(): Promise<string> {
    const { tokens, credentials, now } = this.#deps;
    if (this.#current !== undefined && now() < this.#current.renewAt) return this.#current.token;
    const fetched = { token: Promise.resolve(""), renewAt: Number.POSITIVE_INFINITY };
    fetched.token = tokens.issueToken(credentials).then(
      ({ accessToken, expiresIn }) => {
        fetched.renewAt = now() + expiresIn * 1000 * (1 - renewalShare);
        return accessToken;
      },
      (error: unknown) => {
        if (isRefusalOfCore(error)) fetched.renewAt = now() + refusedPauseMs;
        else if (this.#current === fetched) this.#current = undefined;
        throw unreachable("the core gives this gateway no token", error);
      },
    );
    this.#current = fetched;
    return fetched.token;
  }

  /** Makes the next call fetch a new token. @param token the one that was refused */
  async drop(token: string): Promise<void> {
    const current = this.#current;
    if (current !== undefined && (await current.token.catch(() => undefined)) === token && this.#current === current) {
      this.#current = undefined;
    }
  }
}
