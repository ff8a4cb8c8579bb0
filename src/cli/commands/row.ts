// A row of the tables of commands: it calls an rpc, or does a task.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Option } from "@commander-js/extra-typings";
import type { CommandContext } from "../command.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Calls the core on behalf of an operator. Responses are the JSON of the interface, with numbers as numbers. Refusals are thrown.
 * The partner is the one that a call acts for; none if it has none, or names it in its request.
 */
export interface Operator {
  call(rpc: DescMethodUnary, request: JsonFields, partner?: string): Promise<JsonFields>;
  /** The responses of a list, page after page. */
  readPages(rpc: DescMethodUnary, request: JsonFields, partner?: string): AsyncGenerator<JsonFields>;
  /** The items of a list. */
  readItems(rpc: DescMethodUnary, request: JsonFields, partner?: string): AsyncGenerator<JsonFields>;
}

interface Row {
  /** Options that are not fields of a request. */
  readonly options?: readonly Option[];
}

/** A command without an rpc. */
export interface TaskRow extends Row {
  readonly about: string;
  /** Imports its code. */
  readonly load: () => Promise<(context: CommandContext, options: never, operand: string) => Promise<unknown>>;
}

/** A command that calls an rpc. It takes a partner if callers act for one, and `--product` if the rpc needs one. */
export interface RpcRow extends Row {
  /** By default the first sentence of the rpc's comment. */
  readonly about?: string;
  readonly rpc: DescMethodUnary;
  /** Further fields that it takes. */
  readonly fields?: string;
  /** The error message for `not_found`, in place of that of the first word. */
  readonly notFound?: string | undefined;
  /** Fields of the request that no option sets. */
  readonly defaults?: JsonFields;
  /** Replaces the default: one call, or one call for each page. */
  readonly run?: (command: EnteredCommand) => Promise<void>;
}

/** A command that calls an rpc, as it was entered, and what it may do. */
export interface EnteredCommand extends Operator, Pick<CommandContext, "print" | "say"> {
  readonly rpc: DescMethodUnary;
  readonly request: JsonFields;
  readonly options: JsonFields;
  /** The partner that the call acts for. */
  readonly partner: string | undefined;
}
