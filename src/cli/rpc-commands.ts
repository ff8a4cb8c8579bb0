// Commands that call rpcs, as rows of a table. Name, type and description of an option come from the field of
// the request that it sets, and the response is printed as JSON of the interface.
import { type DescField, type DescMethodUnary, getOption, ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Argument, type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { required_scope } from "../gen/assessment/v1/options_pb.ts";
import { enumWords } from "../json/bounds.ts";
import { enumValue, isTime } from "../json/members.ts";
import { toJson } from "../json/message-json.ts";
import { products } from "../kernel/ids.ts";
import type { CommandContext, OpenContext } from "./command.ts";
import { days, positive, time, uuid } from "./commands/values.ts";
import type { Operator } from "./operator.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Comments of the protos, by the full names of rpcs and fields. */
export type Comments = Readonly<Record<string, string>>;

/** A command that calls an rpc. It takes `--partner` if callers act for a partner, and `--product` if the rpc needs one. */
export interface RpcCommand {
  /** Its words: `sessions list`. */
  readonly name: string;
  /** Its description; by default the first sentence of the rpc's comment. */
  readonly about?: string;
  readonly rpc: DescMethodUnary;
  /**
   * Fields of the request, by their names in the proto: `mode` is the option `--mode`, `group=group_id` the option
   * `--group`, `name!` must be given, and `<session_id>` is an argument.
   */
  readonly takes?: string;
  /** Options that are not fields, in commander's syntax: `--failing`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** How the partner is given that the call acts for: by `--partner`, which must be given unless this says otherwise. */
  readonly partner?: "optional" | "argument";
  /** The error message for `not_found`. */
  readonly missing?: string;
  /** Further fields of the request. */
  readonly fill?: (options: Fields) => Fields;
  /** Selects what is printed of a response, or of each item of a list. */
  readonly shape?: (json: Fields, asked: Fields) => unknown;
  /** Whether all items of a list are one result, rather than a line each. */
  readonly isArray?: true;
  /** Replaces the default: one call, or one call for each page. */
  readonly run?: (running: Running) => Promise<void>;
}

/** A command as it was called. */
export interface Running extends Pick<CommandContext, "print" | "say"> {
  /** Fields of the request. */
  readonly asked: Fields;
  readonly options: Fields;
  /** The partner that the call acts for. */
  readonly partner: string | undefined;
  /** Calls the row's rpc, or another one, for the partner. Returns the JSON of the interface, with numbers as numbers. */
  call(fields: Fields, rpc?: DescMethodUnary, partner?: string): Promise<Fields>;
}

/** Declares commands, each in the group named by its first word. */
export function addRpcCommands(pas: Command, open: OpenContext, comments: Comments, rows: readonly RpcCommand[]): void {
  const aboutOf = (field: DescField) => comments[`${field.parent.typeName}.${field.name}`] ?? "";
  for (const row of rows) {
    const words = row.name.split(" ");
    const [name = "", group] = words.toReversed();
    const above: CommandUnknownOpts = pas.commands.find((each) => each.name() === group) ?? pas;
    const command: CommandUnknownOpts = above.command(name, {});
    command.description(row.about ?? firstSentence(comments[`${row.rpc.parent.typeName}.${row.rpc.name}`]));
    const taken = (row.takes ?? "").split(" ").flatMap((word) => (word === "" ? [] : [takenOf(row, word)]));
    if (row.partner === "argument") command.addArgument(new Argument("<id>", "UUID of the partner.").argParser(uuid));
    else if (actsForPartner(row)) {
      const partner = new Option("--partner <id>", "UUID of the partner.").argParser(uuid);
      command.addOption(partner.makeOptionMandatory(row.partner !== "optional"));
    }
    if (row.rpc.input.field.product !== undefined) {
      const product = new Option("--product <product>", aboutOf(row.rpc.input.field.product));
      command.addOption(product.default(products[0]));
    }
    for (const each of taken) {
      if (each.isArgument) command.addArgument(argumentOf(each, aboutOf(each.field)));
      else command.addOption(optionOf(each, aboutOf(each.field)));
    }
    for (const [flag, about] of Object.entries(row.flags ?? {})) command.addOption(new Option(flag, about));
    command.action(async (...given: unknown[]) => {
      const { withOperator } = await import("./operator.ts");
      const context = open();
      const options = given[command.registeredArguments.length] as Fields;
      await withOperator(context, calling(row, taken, context, options, given));
    });
  }
}

type Call = (operator: Operator) => Promise<void>;

/** @param given what commander passes to an action: the arguments first */
function calling(
  row: RpcCommand,
  taken: readonly Taken[],
  { print, say }: CommandContext,
  options: Fields,
  given: readonly unknown[],
): Call {
  const asked: Record<string, unknown> = { ...(options.product !== undefined && { product: options.product }) };
  const values = given.values();
  const named = row.partner === "argument" ? values.next().value : options.partner;
  for (const { path, field, key, isArgument } of taken) {
    const text = isArgument ? values.next().value : options[key];
    if (text === undefined) continue;
    const value = field.enum === undefined ? text : enumValue(field.enum, String(text));
    const [outer = "", inner] = path;
    asked[outer] = inner === undefined ? value : { ...(asked[outer] as Fields | undefined), [inner]: value };
  }
  Object.assign(asked, row.fill?.(options));
  const partner = actsForPartner(row) ? (named as string | undefined) : undefined;
  return ({ call: callRpc }) => {
    const call: Running["call"] = async (fields, rpc = row.rpc, of = partner) =>
      toJson(rpc.output, Number)(await callRpc(rpc, fields, of, row.missing));
    const running = { asked, options, partner, call, print, say };
    return row.run === undefined ? runByTable(row, running) : row.run(running);
  };
}

async function runByTable({ rpc, shape = (json) => json, isArray }: RpcCommand, running: Running): Promise<void> {
  const { asked, partner, call, print } = running;
  const { fields, field } = rpc.output;
  const [only] = fields.length === 1 ? fields : [];
  const isPaged = field.next !== undefined || field.nextPageToken !== undefined;
  const list = (isPaged ? fields : [only]).find((each) => each?.fieldKind === "list");
  const shaped = (json: unknown) => shape(json as Fields, { ...asked, partner });
  if (list === undefined) {
    const json = await call(asked);
    return print(shaped(only?.message === undefined ? json : json[only.jsonName]));
  }
  const all: unknown[] = [];
  for await (const page of pagesOf(rpc, asked, call)) {
    const items = (page[list.jsonName] as unknown[]).map(shaped);
    if (isArray) all.push(...items);
    else for (const item of items) print(item);
  }
  if (isArray) print(all);
}

/** The responses of a list, page after page. */
export async function* pagesOf(rpc: DescMethodUnary, asked: Fields, call: Running["call"]): AsyncGenerator<Fields> {
  const cursor = rpc.input.field.pageToken === undefined ? "after" : "pageToken";
  for (let at: unknown = ""; ; ) {
    const page = await call({ ...asked, [cursor]: at }, rpc);
    yield page;
    at = page.next ?? page.nextPageToken ?? (page.atEnd === false ? page.nextCursor : "");
    if (at === "") return;
  }
}

/** A message with other members; an empty text, and `never`, remove what was there. */
export function changed(current: unknown, given: unknown): Fields {
  const members = Object.entries({ ...(current as Fields), ...(given as Fields) });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== "" && value !== "never"));
}

/** A field that a command takes. */
interface Taken {
  readonly flag: string;
  /** Commander's name of the option. */
  readonly key: string;
  /** Path of field names to it in the request. */
  readonly path: readonly string[];
  readonly field: DescField;
  readonly isArgument: boolean;
  readonly isRequired: boolean;
}

function takenOf({ rpc, name: command }: RpcCommand, word: string): Taken {
  const [, argument, named, names = "", required] = /^(<?)(?:([a-z-]+)=)?([a-z_.]+)>?(!?)$/.exec(word) ?? [];
  const path: string[] = [];
  let field: DescField | undefined;
  for (const name of names.split(".")) {
    field = (field?.message ?? rpc.input).fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`${command} takes ${word}, which ${rpc.input.typeName} does not have`);
    path.push(field.localName);
  }
  if (field === undefined) throw new Error(`${command} takes ${word}`);
  const flag = named ?? field.name.replaceAll("_", "-");
  const key = flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { flag, key, path, field, isArgument: argument === "<", isRequired: required === "!" };
}

function argumentOf({ flag, field }: Taken, about: string): Argument {
  const name = isId(field) ? "id" : flag;
  const argument = new Argument(field.fieldKind === "list" ? `<${name}...>` : `<${name}>`, about);
  return isId(field) && namesNoCaller(field) ? argument.argParser(uuid) : argument;
}

function optionOf({ flag, field, isRequired }: Taken, about: string): Option {
  const { takes, read } = kindOf(flag, field);
  const option = new Option(
    takes === "" ? `--${flag}` : `--${flag} <${takes}>`,
    field.fieldKind === "list" ? `${about} With spaces or commas between.` : about,
  );
  if (field.enum !== undefined) option.choices(enumWords(field.enum));
  if (read !== undefined) option.argParser(read);
  return option.makeOptionMandatory(isRequired);
}

/** The placeholder of an option's value in help, and its parser. */
function kindOf(flag: string, field: DescField): { takes: string; read?: (text: string) => unknown } {
  if (isTime(field)) return { takes: "time", read: (text) => timestampFromDate(time(text)) };
  if (field.name.endsWith("_days")) return { takes: "days", read: days };
  if (field.fieldKind === "list")
    return { takes: flag, read: (text) => text.split(/[\s,]+/).filter((one) => one !== "") };
  if (field.scalar === ScalarType.BOOL) return { takes: "" };
  if (field.scalar === ScalarType.INT32) return { takes: "n", read: positive };
  if (isId(field)) return { takes: "id", ...(namesNoCaller(field) && { read: uuid }) };
  return { takes: flag.split("-").at(-1) ?? flag };
}

function firstSentence(text = ""): string {
  const [sentence = ""] = text.split(/\.(?= |$)/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function isId({ name }: DescField): boolean {
  return /(^|_)id$/.test(name);
}

/** Ids of partners, clients and persons are validated by the core. */
function namesNoCaller({ name }: DescField): boolean {
  return !["partner_id", "client_id", "external_id"].includes(name);
}

/** Rpcs for operators only take the partner in the message. */
function actsForPartner({ rpc }: RpcCommand): boolean {
  return getOption(rpc, required_scope) !== "admin";
}
