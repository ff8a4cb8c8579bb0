// The least a partner's backend needs to call the service over REST.

/** The service refused a request. */
export class RestRefusal extends Error {
  override readonly name = "RestRefusal";
  /** Codes of what is wrong with the request, if that is why. */
  readonly faults: readonly string[];

  /** @param isProblem whether the body is a problem of this service, not a page of something before it */
  constructor(status: number, body: string, isProblem: boolean) {
    super(`the service answered ${status}: ${body}`);
    const { errors = [] } = (isProblem ? JSON.parse(body) : {}) as { errors?: { code: string }[] };
    this.faults = errors.map(({ code }) => code);
  }
}

/** Told of each response: `POST /v1/… 201`, and its body. */
export type Observe = (exchange: string, body: string) => void;

export class RestClient {
  readonly #url: string;
  readonly #token: string;
  readonly #observe: Observe;

  private constructor(url: string, token: string, observe: Observe) {
    this.#url = url;
    this.#token = token;
    this.#observe = observe;
  }

  /** Obtains an access token. Throws in words for people. */
  static async connect(
    url: string,
    client: { clientId: string; clientSecret: string },
    observe: Observe = () => undefined,
  ): Promise<RestClient> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    const response = await reach(`${url}/oauth/token`, { method: "POST", body: form });
    const { access_token: token } = await bodyOf<{ access_token: string }>(response);
    return new RestClient(url, token, observe);
  }

  async get<T>(path: string): Promise<T> {
    return bodyOf(await this.#send("GET", path));
  }

  async text(path: string): Promise<string> {
    return (await accepted(await this.#send("GET", path))).text();
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return bodyOf(await this.#send("POST", path, body));
  }

  async delete(path: string): Promise<void> {
    await accepted(await this.#send("DELETE", path));
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const authorization = `Bearer ${this.#token}`;
    const sent =
      body === undefined
        ? { headers: { authorization } }
        : { headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await reach(this.#url + path, { method, ...sent });
    this.#observe(`${method} ${path} ${response.status}`, await response.clone().text());
    return response;
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
  return (await (await accepted(response)).json()) as T;
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") ?? false;
  throw new RestRefusal(response.status, await response.text(), isProblem);
}
