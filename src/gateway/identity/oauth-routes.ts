// The OAuth 2.0 endpoints: tokens by client credentials (RFC 6749), revocation (RFC 7009), metadata (RFC 8414).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { readFormBody } from "../../transport/http/bodies.ts";
import { getRecord } from "../../transport/http/request-record.ts";
import { sendJson } from "../../transport/http/send.ts";
import { callCore, type RestContext } from "../rest/transcode.ts";

export interface OAuthRoutesDeps extends RestContext {
  readonly scopes: readonly string[];
}

/** Adds the OAuth endpoints. */
export function addOAuthRoutes(app: FastifyInstance, { core, bodies, publicUrl, scopes }: OAuthRoutesDeps): void {
  const readForm = async (request: FastifyRequest, limits: ReadLimits): Promise<URLSearchParams> => {
    const form = await readFormBody(request.raw, limits, bodies);
    if (form === undefined) throw new OAuthError("invalid_request", "The request has no form body.");
    return form;
  };
  const serveToken = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = await callCore(core, TokenService.method.issueToken, request, reply, async (limits) => {
      const form = await readForm(request, limits);
      const credentials = readClientCredentials(request.headers.authorization, form);
      requireClientCredentialsGrant(form);
      const requestedScopes = (readFormParameter(form, "scope") ?? "").split(" ").filter((word) => word !== "");
      return { ...credentials, scopes: requestedScopes };
    });
    const { accessToken, expiresIn } = token;
    const scope = token.scopes.join(" ");
    const response = { access_token: accessToken, token_type: "Bearer", expires_in: expiresIn, scope };
    return sendJson(setNoStore(reply), JSON.stringify(response));
  };
  const serveRevocation = async (request: FastifyRequest, reply: FastifyReply) => {
    await callCore(core, TokenService.method.revokeToken, request, reply, async (limits) => {
      const form = await readForm(request, limits);
      const credentials = readClientCredentials(request.headers.authorization, form);
      const token = readFormParameter(form, "token");
      if (token === undefined) throw new OAuthError("invalid_request", "token is missing.");
      return { ...credentials, token };
    });
    return setNoStore(reply).send();
  };
  app.post("/oauth/token", addOAuthErrors(serveToken));
  app.post("/oauth/revoke", addOAuthErrors(serveRevocation));

  app.get("/.well-known/oauth-authorization-server", async () => ({
    issuer: publicUrl(),
    token_endpoint: `${publicUrl()}/oauth/token`,
    revocation_endpoint: `${publicUrl()}/oauth/revoke`,
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    scopes_supported: scopes,
  }));
}

function requireClientCredentialsGrant(form: URLSearchParams): void {
  const grantType = readFormParameter(form, "grant_type");
  if (grantType === undefined) throw new OAuthError("invalid_request", "grant_type is missing.");
  if (grantType !== "client_credentials") {
    throw new OAuthError("unsupported_grant_type", "Only client_credentials is supported.");
  }
}

function setNoStore(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "no-store").header("pragma", "no-cache");
}

/** An error in the shape of RFC 6749. */
class OAuthError extends Refusal {
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

type OAuthHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers refusals that have the shape of OAuth errors; all others stay problems. */
function addOAuthErrors(handle: OAuthHandler): OAuthHandler {
  return async (request, reply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      const refusal = toOAuthError(error, request.headers.authorization !== undefined);
      if (refusal === undefined) throw error;
      getRecord(request.raw).code = refusal.code;
      reply.code(refusal.status).headers(refusal.headers);
      return sendJson(reply, JSON.stringify({ error: refusal.error, error_description: refusal.message }));
    }
  };
}

function toOAuthError(error: unknown, isBasic: boolean): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === "unauthenticated") return new OAuthError("invalid_client", error.message, { isBasic });
  const scope = error.violations.find(({ code }) => code === "invalid_scope");
  return scope && new OAuthError("invalid_scope", scope.detail);
}

/** The credentials of a request (RFC 6749 section 2.3.1). */
interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A parameter of a form; undefined if it is missing or empty. Throws `invalid_request` for a repeated one. */
function readFormParameter(form: URLSearchParams, name: string): string | undefined {
  const [value = "", ...others] = form.getAll(name);
  if (others.length > 0) throw new OAuthError("invalid_request", `${name} is repeated.`);
  return value === "" ? undefined : value;
}

/** The client's credentials, from HTTP Basic authentication or the form. Throws `invalid_client`, `invalid_request`. */
function readClientCredentials(authorization: string | undefined, form: URLSearchParams): ClientCredentials {
  const clientId = readFormParameter(form, "client_id");
  const clientSecret = readFormParameter(form, "client_secret");
  if (authorization === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      throw new OAuthError("invalid_client", "The client's credentials are missing.", { isBasic: true });
    }
    return { clientId, clientSecret };
  }
  if (clientSecret !== undefined) throw new OAuthError("invalid_request", "The client authenticates in two ways.");
  const basic = parseBasicCredentials(authorization);
  if (basic === undefined) {
    throw new OAuthError("invalid_client", "The Authorization header is not Basic authentication.", { isBasic: true });
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw new OAuthError("invalid_request", "The form names another client than the Authorization header.");
  }
  return basic;
}

function parseBasicCredentials(authorization: string): ClientCredentials | undefined {
  const credentials = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (credentials === undefined) return undefined;
  const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? [];
  if (clientId === undefined || clientSecret === undefined) return undefined;
  try {
    return { clientId: decodeURIComponent(clientId), clientSecret: decodeURIComponent(clientSecret) };
  } catch {
    return undefined;
  }
}
