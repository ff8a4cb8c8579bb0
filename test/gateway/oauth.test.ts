// The OAuth endpoints as their RFCs have them; their refusals are in the recording of odd requests.

import { expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import type { Credentials } from "../support/databases/partners.ts";
import { appOfFile } from "../support/of-file.ts";

const app = await appOfFile();
const { credentials } = await addCaller(app, ["sessions:read", "results:read"]);

function form(path: string, parameters: [string, string][], headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.httpUrl}${path}`, { method: "POST", headers, body: new URLSearchParams(parameters) });
}

function basic({ clientId, clientSecret }: Credentials): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` };
}

function posted({ clientId, clientSecret }: Credentials): [string, string][] {
  return [
    ["client_id", clientId],
    ["client_secret", clientSecret],
  ];
}

const grant: [string, string] = ["grant_type", "client_credentials"];

function statusOf(token: string): Promise<Response> {
  const path = "/v1/values-bridge/sessions/00000000-0000-7000-8000-000000000000";
  return fetch(app.httpUrl + path, { headers: { authorization: `Bearer ${token}` } });
}

test("a token is issued for credentials in the form or in HTTP Basic, with all scopes of the client", async () => {
  const responses = [
    await form("/oauth/token", [grant, ...posted(credentials)]),
    await form("/oauth/token", [grant], basic(credentials)),
  ];
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^pas_at_[0-9A-Za-z]{49}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "sessions:read results:read",
    });
  }
});

test("a token has only the scopes asked for", async () => {
  const response = await form("/oauth/token", [grant, ["scope", "results:read"]], basic(credentials));
  const { access_token: token, scope } = (await response.json()) as { access_token: string; scope: string };
  expect(scope).toBe("results:read");
  const refusal = await statusOf(token);
  expect(refusal.status).toBe(403);
  expect(refusal.headers.get("www-authenticate")).toBe(
    'Bearer realm="partner-assessment-service", error="insufficient_scope", scope="sessions:read"',
  );
});

test("a token is stored as a hash only", async () => {
  const token = await app.tokenOf(credentials);
  const [rows] = await app.database.connection.query("SELECT HEX(hash) AS hash, scopes FROM access_tokens");
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("a revoked token is refused at once, and another client cannot revoke it", async () => {
  const token = await app.tokenOf(credentials);
  const other = await addCaller(app);
  expect((await statusOf(token)).status).toBe(404);
  expect((await form("/oauth/revoke", [["token", token]], basic(other.credentials))).status).toBe(200);
  expect((await statusOf(token)).status).toBe(404);
  expect((await form("/oauth/revoke", [["token", token]], basic(credentials))).status).toBe(200);
  const refusal = await statusOf(token);
  expect(refusal.status).toBe(401);
  expect(refusal.headers.get("www-authenticate")).toBe(
    'Bearer realm="partner-assessment-service", error="invalid_token"',
  );
});

test("revoking an unknown token succeeds", async () => {
  expect((await form("/oauth/revoke", [["token", "nonsense"]], basic(credentials))).status).toBe(200);
});

test("the metadata document leads to the endpoints", async () => {
  const document = (await (await fetch(`${app.httpUrl}/.well-known/oauth-authorization-server`)).json()) as Record<
    string,
    unknown
  >;
  expect(document).toMatchObject({
    issuer: app.httpUrl,
    token_endpoint: `${app.httpUrl}/oauth/token`,
    revocation_endpoint: `${app.httpUrl}/oauth/revoke`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  });
});
