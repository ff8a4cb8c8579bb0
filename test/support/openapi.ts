// Holds real answers to the OpenAPI document of the service that gave them.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface ResponseObject {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }[];
  readonly responses: Record<string, ResponseObject>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

/** The document of a running service. */
export async function fetchOpenApi(httpUrl: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${httpUrl}/openapi.json`)).json()) as OpenApiDocument;
}

/** A function that throws where an answer is not one that the document describes. */
export function answerChecker(document: OpenApiDocument): (exchange: Exchange) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "document", components: document.components });
  const compiled = new Map<object, ValidateFunction>();
  const templates = Object.entries(document.paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }));
  return ({ method, path, status, contentType, body }) => {
    const operation = templates.find(({ pattern }) => pattern.test(path))?.operations[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
    const response = operation.responses[String(status)];
    const what = `${operation.operationId} answered ${status}`;
    if (response === undefined) throw new Error(`${what}, which is not in the document`);
    if (response.content === undefined) {
      if (body !== "") throw new Error(`${what} with a body, which is not in the document`);
      return;
    }
    const media = response.content[contentType?.split(";")[0] ?? ""];
    if (media === undefined) throw new Error(`${what} as ${contentType}, which is not in the document`);
    // What is no JSON is described by its media type alone.
    if (!/[/+]json$/.test(contentType?.split(";")[0] ?? "")) return;
    const isValid = compiled.get(media.schema) ?? ajv.compile(pointInto(media.schema));
    compiled.set(media.schema, isValid);
    if (!isValid(JSON.parse(body)))
      throw new Error(`${what} with ${ajv.errorsText(isValid.errors)}: ${body.slice(0, 500)}`);
  };
}

/** References of the document as references into the schema that Ajv knows it by. */
function pointInto(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
}
