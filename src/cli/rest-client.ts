// The least a partner's backend needs to call the service over REST.

export class RestClient {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Obtains an access token. Throws in words for people. */
  static async connect(url: string, client: { clientId: string; clientSecret: string }): Promise<RestClient> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    const response = await reach(`${url}/oauth/token`, { method: "POST", body: form });
    const { access_token: token } = await bodyOf<{ access_token: string }>(response);
    return new RestClient(url, token);
  }

  async get<T>(path: string): Promise<T> {
    return bodyOf(await reach(this.#url + path, { headers: { authorization: `Bearer ${this.#token}` } }));
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    return bodyOf(await reach(this.#url + path, { method: "POST", headers, body: JSON.stringify(body) }));
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new Error(`nothing answers at ${new URL(url).origin}; start the service with \`npm start\``);
  }
}

async function bodyOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
