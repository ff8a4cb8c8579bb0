// A client of the service: it obtains tokens, and its paths, bodies and answers have the types of the OpenAPI document.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./gen/api.d.ts";

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

type ProblemDetails = components["schemas"]["ProblemDetails"];

/** A call that the service refused. */
export class Refused extends Error {
  /** Names the reason; `/problems/{code}` of the service says what to do. */
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** A client that sends a token with every call. A token lives for an hour; this client obtains a new one a minute earlier. */
export function connect(baseUrl: string, credentials: Credentials): Client<paths> {
  const client = createClient<paths>({ baseUrl });
  let token = { value: "", expiresAt: 0 };
  client.use({
    async onRequest({ request }) {
      if (Date.now() > token.expiresAt) token = await obtainToken(baseUrl, credentials);
      request.headers.set("authorization", `Bearer ${token.value}`);
      return request;
    },
    async onResponse({ response }) {
      if (response.ok) return;
      const { code, detail, errors = [] } = (await response.json()) as ProblemDetails;
      const faults = errors.map((error) => `${error.pointer} ${error.detail}`);
      throw new Refused(code, [detail, ...faults].join("\n"));
    },
  });
  return client;
}

async function obtainToken(baseUrl: string, { clientId, clientSecret }: Credentials) {
  const { data, error } = await createClient<paths>({ baseUrl }).POST("/oauth/token", {
    body: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  // Its errors have the form of OAuth, unlike those of all other operations: RFC 6749, section 5.2.
  if (error !== undefined) {
    if ("error" in error) throw new Refused(error.error, error.error_description);
    throw new Refused(error.code, error.detail);
  }
  return { value: data.access_token, expiresAt: Date.now() + (data.expires_in - 60) * 1000 };
}
