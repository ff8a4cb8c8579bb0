// The OpenAPI document.
import type { OpenAPIV3_1 } from "openapi-types";
import { partnerScopeMeanings } from "../../src/domain/identity/scopes.ts";
import { operations } from "../../src/gateway/rest/operations.ts";
import { releaseVersion } from "../../src/kernel/release.ts";
import { readDeprecation } from "../../src/kernel/rpc-options.ts";
import { composedSchemas } from "./composed-schemas.ts";
import { describeOperation } from "./describe-operation.ts";
import type { Schema } from "./json-schema.ts";
import { oauthEndpoints } from "./oauth-operations.ts";
import { requestSchemas, responseSchemas } from "./schemas.ts";
import { receivedWebhooks, webhookPayloads } from "./webhook-payloads.ts";

const description = `Partners run scored assessments for their own end users.

1. Obtain an access token with the client's credentials.
2. Create a session; the response of a headless one has the questions.
3. Record answers, as many at a time as you like.
4. Complete the session: it is scored, and the response has the results.

Repeating a request is safe: answers and completion by nature, creation with an Idempotency-Key.

Credentials of a test twin reach test data only. Responses to them, refusals too, have the header \`Test-Data: true\`.`;

/** Of a service with the default settings. Services put their own in its place. */
const url = "http://127.0.0.1:8080";

/** The document of the REST interface. */
export function describeApi(): OpenAPIV3_1.Document {
  const schemas = [...requestSchemas(), ...responseSchemas(), ...composedSchemas];
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = operation.url.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, readDeprecation(operation.rpc)),
    };
  }
  for (const [path, post] of oauthEndpoints) paths[path] = { post };
  return withLocalReferences({
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
      { name: "Subjects", description: "People, by the partner's own identifiers." },
      { name: "Norms", description: "The distribution of answers over many people, for comparison." },
      { name: "Groups", description: "Aggregated numbers of a team, a class or a cohort." },
      { name: "Reports", description: "Results for the people themselves." },
      { name: "Assessments", description: "Published versions of assessments." },
      { name: "Events", description: "Events as a feed." },
      { name: "Webhooks", description: "Events sent to your endpoints." },
      receivedWebhooks,
      { name: "Exports", description: "All data, for analysis." },
      { name: "Sandbox", description: "For credentials of a test twin only." },
      { name: "Audit", description: "Who read results and who changed what." },
    ],
    paths,
    webhooks: webhookPayloads(),
    servers: [{ url }],
    components: {
      securitySchemes: {
        oauth2: {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: `${url}/oauth/token`, scopes: partnerScopeMeanings } },
        },
      },
      schemas: byName(schemas),
    },
  });
}

/** The schemas by their names. Throws where two have the same. */
export function byName(schemas: readonly Schema[]): Record<string, Schema> {
  const schemasByName: Record<string, Schema> = {};
  for (const schema of schemas) {
    const name = String(schema.$id);
    if (schemasByName[name] !== undefined) {
      throw new Error(
        `two schemas are named ${name}: give a message another name by the option json_object of its proto`,
      );
    }
    schemasByName[name] = schema;
  }
  return schemasByName;
}

/** Schemas refer to others by their ids; the document, by the places where it has them. */
function withLocalReferences(document: object): OpenAPIV3_1.Document {
  const text = JSON.stringify(document, (key, value: Schema | null) => {
    if (key === "$id") return undefined;
    const id = /^(\w+)#$/.exec(String(value?.$ref))?.[1];
    return id === undefined ? value : { $ref: `#/components/schemas/${id}` };
  });
  return JSON.parse(text);
}
