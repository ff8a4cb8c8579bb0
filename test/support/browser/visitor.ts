// The hosted pages over plain HTTP: cookies are kept, redirects are not followed, and anything can be sent.

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export class Visitor {
  readonly origin: string;
  /** Cookies by name. */
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Opens a link. @returns the path of the session's start page */
  async open(hostedUrl: string): Promise<string> {
    const { headers, status } = await this.get(new URL(hostedUrl).pathname);
    const location = headers.get("location");
    if (status !== 303 || location === null) throw new Error(`the link was answered ${status}`);
    return location;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answered> {
    return this.#send(path, { headers });
  }

  head(path: string): Promise<Answered> {
    return this.#send(path, { method: "HEAD", headers: {} });
  }

  /** @param form its fields; as pairs where a name comes twice */
  post(
    path: string,
    form: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    return this.#send(path, { method: "POST", headers, body: new URLSearchParams(form) });
  }

  /** Sends a form as the page at the path would, with its token. */
  async submit(page: string, form: Record<string, string>, action = page): Promise<Answered> {
    return this.post(action, { csrfToken: await this.csrfToken(page), ...form });
  }

  /** The token in the form of a page. */
  async csrfToken(page: string): Promise<string> {
    const { text } = await this.get(page);
    return /name="csrfToken" value="([^"]+)"/.exec(text)?.[1] ?? "";
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Answered> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = cookie === "" ? init.headers : { cookie, ...init.headers };
    const response = await fetch(this.origin + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
