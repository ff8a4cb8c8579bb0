// A row of the table of commands: it calls an rpc, or does a task of upkeep.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { CommandContext } from "../command.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

interface Row {
  /** Options that are not fields, in commander's syntax, with their descriptions: `--failing`, `--pool <on|off>`. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** A command without an rpc. @param argument empty if it has none */
type Task = (context: CommandContext, options: JsonFields, argument: string) => Promise<unknown>;

export interface TaskRow extends Row {
  readonly about: string;
  /** Imports its code. */
  readonly task: () => Promise<Task>;
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
  /** Further fields of the request. */
  readonly defaults?: (options: JsonFields) => JsonFields;
  /** Selects what is printed of a response, or of each item of a list. @param request with the `partner` of the call */
  readonly format?: (json: JsonFields, request: JsonFields) => unknown;
  /** Replaces the default: one call, or one call for each page. */
  readonly run?: (running: CommandCall) => Promise<void>;
}

/** A command that calls an rpc, as it was entered. */
export interface CommandCall extends Pick<CommandContext, "print" | "say"> {
  readonly request: JsonFields;
  readonly options: JsonFields;
  /** The partner that the call acts for. */
  readonly partner: string | undefined;
  /** Calls the row's rpc, or another one, for the partner. Returns the JSON of the interface, with numbers as numbers. */
  call(fields: JsonFields, rpc?: DescMethodUnary, partner?: string): Promise<JsonFields>;
  /** The responses of a list, page after page. */
  pages(fields: JsonFields, rpc?: DescMethodUnary): AsyncGenerator<JsonFields>;
  /** The items of a list. */
  items(fields: JsonFields, rpc?: DescMethodUnary): AsyncGenerator<JsonFields>;
}
