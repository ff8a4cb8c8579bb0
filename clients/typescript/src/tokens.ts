// The access token: obtained once for all calls, renewed before it expires, and once when a call says that it is no good.
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { IssueTokenResponse } from "../gen/assessment/v1/token_service_pb.ts";

/** A token is renewed this long before it expires, or after half of its life if that is sooner. */
const marginMs = 60_000;

interface Token {
  readonly value: string;
  readonly renewAt: number;
}

/** Sends a token with each call. */
export function sendTokens(issue: () => Promise<IssueTokenResponse>, now: () => number): Interceptor {
  let current: Promise<Token> | undefined;
  async function obtain(): Promise<Token> {
    const { accessToken, expiresIn } = await issue();
    const lifeMs = expiresIn * 1000;
    return { value: accessToken, renewAt: now() + Math.max(lifeMs - marginMs, lifeMs / 2) };
  }
  /** Calls at the same time wait for the same token. One that could not be had is asked for anew by the next call. */
  function renew(): Promise<Token> {
    const renewed = obtain();
    current = renewed;
    renewed.catch(() => {
      if (current === renewed) current = undefined;
    });
    return renewed;
  }
  async function tokenBut(refused?: string): Promise<string> {
    const before = current;
    const token = await (before ?? renew());
    if (token.value !== refused && now() < token.renewAt) return token.value;
    return (await (current === before || current === undefined ? renew() : current)).value;
  }
  return (next) => async (request) => {
    const token = await tokenBut();
    request.header.set("authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unauthenticated) throw error;
      request.header.set("authorization", `Bearer ${await tokenBut(token)}`);
      return next(request);
    }
  };
}
