// The token of a gateway in its own process: fetched when needed, kept until shortly before it expires, and dropped when the
// core refuses it.
import type { Client } from "@connectrpc/connect";
import type { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { infoOfCore, unreachable } from "./core-errors.ts";

/** A token is replaced while this share of its life is left. */
const renewalShare = 0.1;
/** After the core refused the gateway's credentials, it is not asked again for this time: it counts every request. */
const refusedPauseMs = 5_000;

export interface GatewayCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export class GatewayToken {
  readonly #fetch: () => ReturnType<Client<typeof TokenService>["issueToken"]>;
  readonly #now: () => number;
  #token: Promise<string> | undefined;
  #renewAt = 0;

  /** @param fetch gets a token from the core. @param now milliseconds of a monotonic clock */
  constructor(fetch: () => ReturnType<Client<typeof TokenService>["issueToken"]>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** A valid token. Rejects with `unavailable`, with the cause for the log, if the core gives none. */
  get(): Promise<string> {
    if (this.#token === undefined || this.#now() >= this.#renewAt) {
      this.#renewAt = Number.POSITIVE_INFINITY;
      this.#token = this.#obtain();
    }
    return this.#token;
  }

  /** Makes the next call fetch a new token. @param token the one that was refused */
  drop(token: Promise<string>): void {
    if (this.#token === token) this.#token = undefined;
  }

  async #obtain(): Promise<string> {
    try {
      const { accessToken, expiresIn } = await this.#fetch();
      this.#renewAt = this.#now() + expiresIn * 1_000 * (1 - renewalShare);
      return accessToken;
    } catch (error) {
      this.#renewAt = infoOfCore(error) === undefined ? 0 : this.#now() + refusedPauseMs;
      throw unreachable("the core gives this gateway no token", error);
    }
  }
}
