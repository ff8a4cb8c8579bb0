// The OAuth 2.0 endpoints: tokens by client credentials (RFC 6749), revocation (RFC 7009), metadata (RFC 8414).
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import { OAuthError } from "../../http/oauth-error.ts";
import { Problem } from "../../http/problem.ts";
import { sendJson } from "../../http/send.ts";
import type { CoreClient } from "../core/client.ts";
import { type ClientCredentials, clientCredentialsOf, type Form, oneOf } from "../oauth-form.ts";
import { revocationDocumentation, tokenDocumentation } from "../openapi/oauth.ts";

/** Nobody knows yet who sends a form, and credentials are far shorter. */
const maxFormBytes = 64 * 1024;

export interface OAuthRoutesDeps {
  readonly client: CoreClient;
  readonly publicUrl: () => string;
  readonly scopes: readonly string[];
}

/** Adds the OAuth endpoints. */
export function addOAuthRoutes(app: FastifyInstance, { client, publicUrl, scopes }: OAuthRoutesDeps): void {
  const formRoutes: FastifyPluginAsync = async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(formbody, { bodyLimit: maxFormBytes });

    forms.post("/oauth/token", { schema: tokenDocumentation }, async (request, reply) => {
      const form = formOf(request);
      const credentials = clientCredentialsOf(request.headers.authorization, form);
      const grantType = oneOf(form, "grant_type");
      if (grantType === undefined) throw new OAuthError("invalid_request", "grant_type is missing.");
      if (grantType !== "client_credentials") {
        throw new OAuthError("unsupported_grant_type", "Only client_credentials is supported.");
      }
      const requested = (oneOf(form, "scope") ?? "").split(" ").filter((scope) => scope !== "");
      const message = { ...credentials, scopes: requested };
      const issued = await answered(client.call(TokenService.method.issueToken, request, message), credentials);
      const { accessToken, expiresIn } = issued;
      const scope = issued.scopes.join(" ");
      const answer = { access_token: accessToken, token_type: "Bearer", expires_in: expiresIn, scope };
      return sendJson(noStore(reply), JSON.stringify(answer));
    });

    forms.post("/oauth/revoke", { schema: revocationDocumentation }, async (request, reply) => {
      const form = formOf(request);
      const credentials = clientCredentialsOf(request.headers.authorization, form);
      const token = oneOf(form, "token");
      if (token === undefined) throw new OAuthError("invalid_request", "token is missing.");
      await answered(client.call(TokenService.method.revokeToken, request, { ...credentials, token }), credentials);
      return noStore(reply).send();
    });
  };
  app.register(formRoutes);

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

function formOf(request: FastifyRequest): Form {
  if (request.body === undefined) throw new OAuthError("invalid_request", "The request has no form body.");
  return request.body as Form;
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "no-store").header("pragma", "no-cache");
}

/** Refusals that the token endpoint itself decides, in its own shape; all others stay problems. */
async function answered<T>(call: Promise<T>, { isBasic }: ClientCredentials): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.code === "unauthenticated") {
      throw new OAuthError("invalid_client", "The client is unknown, disabled, or its secret is wrong.", { isBasic });
    }
    if (error instanceof Problem && error.faults.some((fault) => fault.code === "invalid_scope")) {
      throw new OAuthError("invalid_scope", "The client may not have one of these scopes.");
    }
    throw error;
  }
}
