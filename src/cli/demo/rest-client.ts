// A minimal REST client, as a partner's backend would write it.

export interface RestClient {
  get<T>(path: string): Promise<T>;
  text(path: string): Promise<string>;
  post<T>(path: string, body: unknown): Promise<T>;
  delete(path: string): Promise<unknown>;
}

/**
 * Obtains an access token, and calls with it. Throws messages for people.
 * @param observe notified of each response: `POST /v1/… 201`, and its body
 */
export async function connectRest(
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  observe: (exchange: string, body: string) => void,
): Promise<RestClient> {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const token = await exchange(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const authorization = `Bearer ${(JSON.parse(token) as { access_token: string }).access_token}`;
  const call = (method: string, path: string, body?: unknown) =>
    exchange(
      url + path,
      body === undefined
        ? { method, headers: { authorization } }
        : { method, headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) },
      (status, text) => observe(`${method} ${path} ${status}`, text),
    );
  return {
    get: async (path) => JSON.parse(await call("GET", path)),
    text: (path) => call("GET", path),
    post: async (path, body) => JSON.parse(await call("POST", path, body)),
    delete: (path) => call("DELETE", path),
  };
}

async function exchange(url: string, init: RequestInit, observe?: (status: number, body: string) => void) {
  const response = await fetch(url, init).catch(() => {
    throw new Error(`nothing answers at ${new URL(url).origin}; start the service with \`npm start\``);
  });
  const body = await response.text();
  observe?.(response.status, body);
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${body}`);
  return body;
}
