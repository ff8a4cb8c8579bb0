// Calls of the service over REST, with no more scopes than the tools need.
import { randomUUID } from "node:crypto";

/** A call that the service refused, in its own words. */
export class Refused extends Error {
  /** Of the response; undefined where there is none. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const timeoutMs = 15_000;
/** Most bytes of a response that are read. */
const maxResponseBytes = 4 << 20;

export class Service {
  readonly #url: string;
  readonly #form: Record<string, string>;
  #token: { readonly value: string; readonly expiresAt: number } | undefined;

  /** @param scopes what tokens are asked for */
  constructor(url: string, clientId: string, clientSecret: string, scopes: readonly string[]) {
    this.#url = url.replace(/\/$/, "");
    this.#form = {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope: scopes.join(" "),
    };
  }

  /**
   * The JSON of a response. A call whose response does not come is made once more, under the same idempotency key. Throws
   * Refused, in words that say what to do.
   */
  async call(method: "GET" | "POST", path: string, body?: object): Promise<Record<string, unknown>> {
    const key = method === "POST" ? { "idempotency-key": randomUUID() } : {};
    const send = async () => {
      const authorization = `Bearer ${await this.#accessToken()}`;
      const headers = { authorization, "content-type": "application/json", ...key };
      return this.#send(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    };
    try {
      return await send();
    } catch (error) {
      // The token was revoked, or the service begins anew with another database.
      const isTokenRefused = error instanceof Refused && error.status === 401 && this.#token !== undefined;
      const isLost = error instanceof Refused && error.status === undefined;
      if (!isTokenRefused && !isLost) throw error;
      if (isTokenRefused) this.#token = undefined;
      return await send();
    }
  }

  async #accessToken(): Promise<string> {
    if (this.#token !== undefined && Date.now() < this.#token.expiresAt) return this.#token.value;
    const granted = await this.#send("/oauth/token", { method: "POST", body: new URLSearchParams(this.#form) });
    const { access_token: value, expires_in: seconds } = granted as { access_token: string; expires_in: number };
    this.#token = { value, expiresAt: Date.now() + (seconds - 60) * 1000 };
    return value;
  }

  async #send(path: string, init: RequestInit): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(this.#url + path, { ...init, signal, redirect: "error" }).catch(() => {
      throw new Refused("The service cannot be reached. Is it running?");
    });
    const json = parse(await textOf(response), response.status);
    if (!response.ok) throw new Refused(refusal(response.status, json), response.status);
    return json;
  }
}

async function textOf({ body, status }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxResponseBytes) throw new Refused("The response is too large.", status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string, status: number): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("What answers is not the service: the response is not JSON.", status);
  }
}

function refusal(status: number, json: Record<string, unknown>): string {
  const { code, detail, error, error_description: description, errors = [] } = json;
  const faults = (errors as { pointer: string; detail: string }[]).map((fault) => `${fault.pointer}: ${fault.detail}`);
  return [`${status} ${code ?? error}:`, detail ?? description, ...faults].join(" ");
}
