// The reason why a webhook got no response, as an error of the interface.

/** An error code of ours. */
export class SendError extends Error {
  override readonly name = "SendError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const names: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect_failed",
  EHOSTUNREACH: "connect_failed",
  ENETUNREACH: "connect_failed",
  EADDRNOTAVAIL: "connect_failed",
  ETIMEDOUT: "connect_timeout",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  ECONNRESET: "connection_lost",
  EPIPE: "connection_lost",
  UND_ERR_SOCKET: "connection_lost",
  UND_ERR_HEADERS_OVERFLOW: "headers_too_large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "malformed_response",
  EPROTO: "tls_failed",
};

/** The name of an error: at most 32 characters, and no text from outside. */
export function toErrorName(error: unknown): string {
  if (error instanceof SendError) return error.code;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code in names) return names[code] ?? "";
  // Errors of the parser do not always have its own codes.
  if (error instanceof Error && error.name === "HTTPParserError") return "malformed_response";
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return "tls_failed";
  return "send_failed";
}
