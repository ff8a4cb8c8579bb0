// The errors of the OAuth endpoints (RFC 6749 section 5.2).

/** An error in the shape of RFC 6749. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, { isBasic = false }: { isBasic?: boolean } = {}) {
    super(description);
    this.error = error;
    this.status = error === "invalid_client" ? 401 : 400;
    this.headers = {
      "cache-control": "no-store",
      ...(isBasic ? { "www-authenticate": 'Basic realm="partner-assessment-service"' } : {}),
    };
  }
}
