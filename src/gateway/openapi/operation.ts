// An operation of the REST interface: where it is, which rpc it is, and what is documented of it. The OpenAPI document
// puts that into schemas when somebody asks for it.
import type { DescMessage, DescMethodUnary } from "@bufbuild/protobuf";
import type { ErrorCode } from "../../kernel/errors/error-table.ts";
import type { Members } from "../../kernel/json/json-schema.ts";
import type { ComposedName } from "../shared/composed-schemas.ts";

/** Headers of responses that may be asked for again. */
export const conditional = { ETag: "Strong entity tag; send it in If-None-Match." };

export interface OperationDocumentation {
  /** Of an operation that shares its rpc with another one; else the name of the rpc. */
  readonly id?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The message that the body is the JSON of, one with a name. */
  readonly body?: DescMessage;
  readonly isBodyOptional?: boolean;
  readonly query?: Members;
  readonly headers?: Members;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** A message with a name, or what is put together of some. */
    readonly schema?: DescMessage | ComposedName;
    /** Media types beside JSON, whose bytes no schema describes. */
    readonly otherMedia?: readonly string[];
    /** Media types instead of JSON, each with the schema of a line, if there is one. */
    readonly media?: Readonly<Record<string, DescMessage | undefined>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Whether the answer has an entity tag, so that 304 may come instead. */
  readonly isTagged?: boolean;
  /** Reasons beyond those that every operation shares. */
  readonly reasons?: readonly ErrorCode[];
}

export interface Operation<M extends DescMethodUnary> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly rpc: M;
  /** In the OpenAPI document. */
  readonly id: string;
  /** Names of its query parameters: there are no others. */
  readonly parameters: readonly string[];
  readonly documentation: OperationDocumentation;
}

/** States an operation. */
export function operation<M extends DescMethodUnary>(
  method: Operation<M>["method"],
  url: string,
  rpc: M,
  documentation: OperationDocumentation,
): Operation<M> {
  const { id = rpc.localName, query = {} } = documentation;
  return { method, url, rpc, id, parameters: Object.keys(query), documentation };
}
