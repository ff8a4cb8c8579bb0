// The errors of the OAuth endpoints (RFC 6749 section 5.2). To the pipeline they are refusals like all others.
import { Refusal } from "../../kernel/errors/refusal.ts";

/** An error in the shape of RFC 6749. */
export class OAuthError extends Refusal {
  /** For example `invalid_client`. */
  readonly error: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, { isBasic = false }: { isBasic?: boolean } = {}) {
    super(error === "invalid_client" ? "unauthenticated" : "invalid_request", description);
    this.error = error;
    this.status = error === "invalid_client" ? 401 : 400;
    this.headers = {
      "cache-control": "no-store",
      ...(isBasic ? { "www-authenticate": 'Basic realm="partner-assessment-service"' } : {}),
    };
  }
}
