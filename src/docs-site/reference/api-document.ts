// The parts of an OpenAPI document that the reference shows. The document is our own, so nothing else occurs in it.
import { readFileSync } from "node:fs";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

/** For one path, operations that create come before those that read. */
export const methods = ["post", "put", "get", "patch", "delete"] as const;
export type Method = (typeof methods)[number];

export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, ApiOperation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its method and path. */
export interface PlacedOperation extends ApiOperation {
  readonly method: Method;
  readonly path: string;
}

/** Every operation, in the order of the document. */
export function operationsOf({ paths }: ApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method, path }];
    }),
  );
}

/** Bodies as texts, by operation and status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads them. Lists in them are cut, and ids, times and secrets are made up. */
export function readResponseExamples(): ResponseExamples {
  return JSON.parse(readFileSync(new URL("response-examples.json", import.meta.url), "utf8"));
}
