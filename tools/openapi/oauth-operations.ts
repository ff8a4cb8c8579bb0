// The OAuth endpoints in the OpenAPI document.

import { AccessTokenSchema, OAuthErrorSchema } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { describeBody, jsonContent, problemResponses, refTo } from "./describe-operation.ts";
import { object, optional, type Schema, string } from "./json-schema.ts";
import { choiceSchema } from "./message-schema.ts";
import { responseExamples } from "./response-examples.ts";

const clientId = optional(string({ description: "Unless HTTP Basic authentication names the client." }));
const clientSecret = optional(string({ description: "Unless HTTP Basic authentication carries it." }));

const tokenDocumentation = documented({
  operationId: "issueToken",
  summary: "Obtain an access token",
  description: "The client credentials grant of RFC 6749, section 4.4.",
  body: object({
    grant_type: choiceSchema(["client_credentials"]),
    scope: optional(string({ description: "Scopes separated by spaces; without it all of the client." })),
    client_id: clientId,
    client_secret: clientSecret,
  }),
  success: {
    description: "The token.",
    content: { "application/json": jsonContent(refTo(AccessTokenSchema), responseExamples.issueToken?.["200"]) },
  },
});

const revocationDocumentation = documented({
  operationId: "revokeToken",
  summary: "Revoke an access token",
  description: "RFC 7009. A token that is unknown is no error.",
  body: object({ token: string(), client_id: clientId, client_secret: clientSecret }),
  success: { description: "The token is of no use any more." },
});

/** The endpoints, by their paths. */
export const oauthEndpoints: ReadonlyMap<string, object> = new Map([
  ["/oauth/token", tokenDocumentation],
  ["/oauth/revoke", revocationDocumentation],
]);

interface OAuthDocumentation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Schema;
  readonly success: object;
}

function documented({ operationId, summary, description, body, success }: OAuthDocumentation) {
  const examples = responseExamples[operationId] ?? {};
  const oauthError = (status: number, errors: string) => ({
    description: errors,
    content: { "application/json": jsonContent(refTo(OAuthErrorSchema), examples[status]) },
  });
  return {
    operationId,
    summary,
    tags: ["Tokens"],
    description,
    requestBody: describeBody("application/x-www-form-urlencoded", body),
    security: [],
    responses: {
      200: success,
      400: oauthError(400, "`invalid_request`, `unsupported_grant_type` or `invalid_scope`."),
      401: oauthError(401, "`invalid_client`."),
      ...problemResponses(["payload_too_large", "unsupported_media_type", "rate_limited", "internal", "unavailable"]),
    },
  };
}
