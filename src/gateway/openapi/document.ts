// The OpenAPI document.
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { releaseVersion } from "../../kernel/release.ts";
import { leaveSchemasToDocumentation } from "../../transport/http/server.ts";
import { StaticFile, sendUnchanged } from "../../transport/http/static-files.ts";
import { oauthSchemas } from "../identity/oauth-operations.ts";
import { composedSchemas } from "../shared/composed-schemas.ts";
import { ProblemDetails } from "../shared/problem-schema.ts";
import { webhookPayloads } from "../webhooks/webhook-payloads.ts";
import { bodyOptional } from "./describe-operation.ts";
import { requestSchemas, responseSchemas } from "./schemas.ts";

const description = `Partners run scored assessments for their own end users.

1. Obtain an access token with the client's credentials.
2. Create a session; a headless one answers the questions.
3. Record answers, as many at a time as you like.
4. Complete the session: it is scored and answers the results.

Repeating a request is safe: answers and completion by nature, creation with an Idempotency-Key.

Credentials of a test twin reach test data only. Responses to them, refusals too, have the header \`Test-Data: true\`.`;

export interface OpenApiOptions {
  readonly publicUrl: () => string;
  /** Scopes with what they allow. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Makes the document from the routes that are added after this. @returns gives it when the server is ready */
export async function addOpenApi(
  app: FastifyInstance,
  { publicUrl, scopes }: OpenApiOptions,
): Promise<() => OpenAPIV3_1.Document> {
  const schemas = [...requestSchemas(), ...responseSchemas(), ...composedSchemas, ProblemDetails, ...oauthSchemas];
  for (const schema of schemas) app.addSchema(schema);
  leaveSchemasToDocumentation(app);
  const flow = (url: string) => ({ clientCredentials: { tokenUrl: `${url}/oauth/token`, scopes: { ...scopes } } });
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
      components: { securitySchemes: { oauth2: { type: "oauth2", flows: flow("") } } },
    },
    hideUntagged: true,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  const complete = (document: object): OpenAPIV3_1.Document => {
    const { components, paths = {}, ...rest } = document as OpenAPIV3_1.Document;
    const oauth2 = { type: "oauth2" as const, flows: flow(publicUrl()) };
    for (const { post } of Object.values(paths).map((path) => path ?? {})) markOptionalBody(post);
    return {
      ...rest,
      paths,
      webhooks: webhookPayloads(),
      servers: [{ url: publicUrl() }],
      components: { ...components, securitySchemes: { oauth2 } },
    };
  };
  const document = () => complete(structuredClone(app.swagger()));
  let file: StaticFile | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    // The document names the service's address, which is known by the first request.
    file ??= new StaticFile("application/json; charset=utf-8", JSON.stringify(document()));
    return sendUnchanged(reply, file);
  });
  return document;
}

function markOptionalBody(operation: (OpenAPIV3_1.OperationObject & { [bodyOptional]?: true }) | undefined): void {
  if (operation?.[bodyOptional] === undefined) return;
  delete operation[bodyOptional];
  if (operation.requestBody !== undefined && "content" in operation.requestBody) operation.requestBody.required = false;
}
