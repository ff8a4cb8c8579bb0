// The OpenAPI document; imported on first use.
import swagger from "@fastify/swagger";
import { fastify, type HTTPMethods } from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { releaseVersion } from "../../kernel/release.ts";
import type { Deprecations } from "../../kernel/rpc-options.ts";
import { neverCalled } from "../../transport/http/served.ts";
import { oauthEndpoints, oauthSchemas } from "../identity/oauth-operations.ts";
import type { Operation } from "../rest/operations.ts";
import { webhookPayloads } from "../webhooks/webhook-payloads.ts";
import { composedSchemas } from "./composed-schemas.ts";
import { bodyOptional, schemaOf } from "./describe-operation.ts";
import { ProblemDetails } from "./problem-schema.ts";
import { requestSchemas, responseSchemas } from "./schemas.ts";

const description = `Partners run scored assessments for their own end users.

1. Obtain an access token with the client's credentials.
2. Create a session; a headless one answers the questions.
3. Record answers, as many at a time as you like.
4. Complete the session: it is scored and answers the results.

Repeating a request is safe: answers and completion by nature, creation with an Idempotency-Key.

Credentials of a test twin reach test data only. Responses to them, refusals too, have the header \`Test-Data: true\`.`;

/** A route of the server. */
export interface ApiRoute {
  readonly method: HTTPMethods;
  readonly url: string;
  /** Unset: documented only if it is an OAuth endpoint. */
  readonly operation: Operation | undefined;
}

export interface ApiOptions {
  /** In the order of the document. */
  readonly routes: readonly ApiRoute[];
  readonly publicUrl: string;
  /** Scopes with what they allow. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly deprecations: Deprecations;
}

/** Makes the document of the interface. */
export async function describeApi({
  routes,
  publicUrl,
  scopes,
  deprecations,
}: ApiOptions): Promise<OpenAPIV3_1.Document> {
  // The library documents the routes of a server. This server never listens.
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => "");
  const schemas = [...requestSchemas(), ...responseSchemas(), ...composedSchemas, ProblemDetails, ...oauthSchemas];
  for (const schema of schemas) app.addSchema(schema);
  const tokenUrl = `${publicUrl}/oauth/token`;
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Partner Assessment Service",
        version: releaseVersion,
        description,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags: [
        { name: "Tokens", description: "OAuth 2.0 client credentials." },
        { name: "Sessions", description: "One person's way through one assessment." },
        { name: "Subjects", description: "Persons, by the partner's own identifiers." },
        { name: "Norms", description: "How many people answer, to compare with." },
        { name: "Groups", description: "What a team, a class, a cohort have in common." },
        { name: "Reports", description: "Results for the people themselves." },
        { name: "Assessments", description: "What is asked." },
        { name: "Events", description: "What happened, as a feed." },
        { name: "Webhooks", description: "What happened, sent to you." },
        { name: "Exports", description: "Everything at once, for analysis." },
        { name: "Sandbox", description: "For credentials of a test twin only." },
        { name: "Audit", description: "Who read results and who changed what." },
      ],
      components: {
        securitySchemes: {
          oauth2: { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: { ...scopes } } } },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  for (const { method, url, operation } of routes) {
    const ofOperation = operation && schemaOf(operation, deprecations(operation.rpc));
    const schema = ofOperation ?? oauthEndpoints.get(url);
    if (schema !== undefined) app.route({ method, url, schema, handler: neverCalled });
  }
  await app.ready();
  const { components = {}, paths = {}, ...rest } = app.swagger() as OpenAPIV3_1.Document;
  await app.close();
  for (const { post } of Object.values(paths).map((path) => path ?? {})) markOptionalBody(post);
  return { ...rest, paths, webhooks: webhookPayloads(), servers: [{ url: publicUrl }], components };
}

function markOptionalBody(operation: (OpenAPIV3_1.OperationObject & { [bodyOptional]?: true }) | undefined): void {
  if (operation?.[bodyOptional] === undefined) return;
  delete operation[bodyOptional];
  if (operation.requestBody !== undefined && "content" in operation.requestBody) operation.requestBody.required = false;
}
