// Reads requests of the OAuth endpoints (RFC 6749 section 2.3.1).
import type { Form } from "../../transport/http/bodies/form-body.ts";
import { OAuthError } from "../../transport/http/problem.ts";

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether they came as HTTP Basic authentication. */
  readonly isBasic: boolean;
}

/** A parameter of a form; undefined if it is missing or empty. Throws `invalid_request` for a repeated one. */
export function oneOf(form: Form, name: string): string | undefined {
  const value = form[name];
  if (value !== undefined && typeof value !== "string") throw new OAuthError("invalid_request", `${name} is repeated.`);
  return value === "" ? undefined : value;
}

/** The client's credentials, from HTTP Basic authentication or the form. Throws `invalid_client`, `invalid_request`. */
export function clientCredentialsOf(authorization: string | undefined, form: Form): ClientCredentials {
  const clientId = oneOf(form, "client_id");
  const clientSecret = oneOf(form, "client_secret");
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      throw new OAuthError("invalid_client", "The client's credentials are missing.", { isBasic: true });
    }
    return { clientId, clientSecret, isBasic: false };
  }
  if (clientSecret !== undefined) throw new OAuthError("invalid_request", "The client authenticates in two ways.");
  const basic = basicCredentials(authorization);
  if (basic === undefined) {
    throw new OAuthError("invalid_client", "The Authorization header is not Basic authentication.", { isBasic: true });
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw new OAuthError("invalid_request", "The form names another client than the Authorization header.");
  }
  return { ...basic, isBasic: true };
}

function basicCredentials(authorization: string): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  try {
    return { clientId: decodeURIComponent(clientId), clientSecret: decodeURIComponent(clientSecret) };
  } catch {
    return undefined;
  }
}
