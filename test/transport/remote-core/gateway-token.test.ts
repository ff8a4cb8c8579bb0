// The token that a gateway of its own identifies itself with: when it is asked for, and when it is not.
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { GatewayToken } from "../../../src/transport/remote-core/gateway-token.ts";

describe("the token of a gateway", () => {
  const refusal = () => {
    const error = new ConnectError("no", Code.Unauthenticated);
    const value = { reason: "UNAUTHENTICATED", domain: "partner-assessment-service" };
    error.details.push({ desc: ErrorInfoSchema, value });
    return error;
  };

  function tokenOf(answers: readonly ("token" | Error)[], expiresIn = 3600) {
    const state = { now: 0, asked: 0 };
    const issueToken = async () => {
      const answer = answers[state.asked] ?? "token";
      state.asked += 1;
      if (answer !== "token") throw answer;
      return { accessToken: `token ${state.asked}`, expiresIn, scopes: [] } as never;
    };
    const credentials = { clientId: "id", clientSecret: "secret" };
    return { state, token: new GatewayToken({ tokens: { issueToken }, credentials, now: () => state.now }) };
  }

  test("the token is obtained once for all that ask, and again when nine tenths of its life are over", async () => {
    const { state, token } = tokenOf([]);
    expect(await Promise.all([token.get(), token.get()])).toEqual(["token 1", "token 1"]);
    state.now = 3_239_999;
    expect(await token.get()).toBe("token 1");
    state.now = 3_240_000;
    expect(await Promise.all([token.get(), token.get()])).toEqual(["token 2", "token 2"]);
  });

  test("a refused token is asked for again after five seconds, not before", async () => {
    const { state, token } = tokenOf([refusal()]);
    await expect(token.get()).rejects.toMatchObject({ code: "unavailable", cause: { name: "CoreUnreachableError" } });
    state.now = 4_999;
    await expect(token.get()).rejects.toMatchObject({ code: "unavailable" });
    expect(state.asked).toBe(1);
    state.now = 5_000;
    expect(await token.get()).toBe("token 2");
  });
});
