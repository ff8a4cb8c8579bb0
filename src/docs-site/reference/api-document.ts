// What the reference reads of the OpenAPI document.
import type { OpenAPIV3_1 } from "openapi-types";

export type ApiDocument = OpenAPIV3_1.Document;
export type Parameter = OpenAPIV3_1.ParameterObject;
export type ApiResponse = OpenAPIV3_1.ResponseObject;
type Reference = OpenAPIV3_1.ReferenceObject;

/** A schema with the keywords of every type. */
export type Schema = OpenAPIV3_1.BaseSchemaObject & {
  readonly type?: string | readonly string[];
  readonly items?: Schema | Reference;
};

/** For one path, operations that create come before those that read. */
export const methods = ["post", "put", "get", "patch", "delete"] as const;

export type PlacedOperation = ReturnType<typeof operationsOf>[number];

/** Every operation with its method and path, in the order of the document. */
export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method];
      if (operation === undefined) return [];
      const { operationId = "", summary = "", description = "", tags = [], security = [] } = operation;
      const { content } = resolve<Partial<OpenAPIV3_1.RequestBodyObject>>(operation.requestBody ?? {}, document);
      const responses = Object.entries(operation.responses ?? {}).map(
        ([status, response]) => [Number(status), resolve(response, document)] as const,
      );
      return {
        ...{ method, path, operationId, summary, description, tags },
        scopes: security.flatMap((each) => Object.values(each).flat()),
        parameters: (operation.parameters ?? []).map((each) => resolve<Parameter>(each, document)),
        body: Object.values(content ?? {})[0]?.schema,
        responses: new Map(responses),
      };
    }),
  );
}

/** What a reference leads to; anything else is itself. */
export function resolve<T extends object>(part: T | Reference, document: ApiDocument): T {
  if (!("$ref" in part)) return part;
  const [, ...names] = part.$ref.split("/");
  return names.reduce<unknown>((within, name) => (within as Readonly<Record<string, unknown>>)[name], document) as T;
}
