// Refusals say what is wrong with credentials and addresses, and name every fault of a query at once.
import { describe, expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const partnerId = await app.addPartner();
const credentials = await app.addClient(partnerId, ["sessions:read"]);
const { token } = await addCaller(app);

interface Problem {
  readonly status?: number;
  readonly code: string;
  readonly detail?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly pointer: string; readonly parameter?: string; readonly code: string }[];
}

async function problemOf(url: string, init?: RequestInit): Promise<Problem> {
  return (await (await fetch(url, init)).json()) as Problem;
}

describe.each([
  ["the service", () => app.httpUrl],
  ["a gateway of its own", () => gateway.httpUrl],
] as const)("%s", (_name, urlOf) => {
  const basic = () => `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64")}`;

  test.each<[sent: string, headers: () => Record<string, string>, detail: RegExp]>([
    ["no token", () => ({}), /^No access token was sent.*; no other header is read\.$/],
    ["X-Api-Key", () => ({ "x-api-key": token }), /^No access token was sent.*; no other header is read\.$/],
    [
      "a token without Bearer",
      () => ({ authorization: token }),
      /^There is an `Authorization` header, without `Bearer`/,
    ],
    ["another word before it", () => ({ authorization: `Token ${token}` }), /without `Bearer`/],
    ["Basic", () => ({ authorization: basic() }), /^`Authorization: Basic` is for \/oauth\/token/],
  ])("a call with %s is told what is wrong with it", async (_sent, headers, detail) => {
    const { code, detail: said = "" } = await problemOf(`${urlOf()}/v1/values-bridge/assessment`, {
      headers: headers(),
    });
    expect([code, said]).toEqual(["unauthenticated", expect.stringMatching(detail)]);
    for (const secret of [token, credentials.clientSecret]) expect(said).not.toContain(secret);
  });

  test("the token endpoint says that id and secret of a client are exchanged, and nothing of other wrong credentials", async () => {
    const { clientId, clientSecret } = credentials;
    const sent = async (id: string, secret: string) => {
      const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
      const response = await fetch(`${urlOf()}/oauth/token`, { method: "POST", body });
      return ((await response.json()) as { error_description: string }).error_description;
    };
    expect(await sent(clientSecret, clientId)).toBe(
      "The client id is a client secret: the two are probably exchanged.",
    );
    expect(await sent(clientId, "wrong")).toBe("The client is unknown, disabled, or its secret is wrong.");
  });

  test("the refusal of an unknown address names the method, and where all addresses are", async () => {
    const { detail } = await problemOf(`${urlOf()}/nowhere/at/all`);
    expect(detail).toBe(
      "There is nothing to GET at this address. Addresses of the interface begin with /v1/ and do not end with a slash; /docs/interface has them all.",
    );
  });

  test("every fault of a query is named", async () => {
    const query = "limit=many&status=done&createdAfter=yesterday&statuss=open&constructor=1";
    const { errors = [] } = await problemOf(`${urlOf()}/v1/values-bridge/sessions?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set(["#"]));
    const named = errors.map(({ parameter, code }) => `${parameter} ${code}`);
    expect(named.toSorted()).toEqual([
      "constructor unknown_parameter",
      "createdAfter invalid_format",
      "limit out_of_range",
      "status unknown_value",
      "statuss unknown_parameter",
    ]);
  });
});
