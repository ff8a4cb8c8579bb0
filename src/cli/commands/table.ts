// Declares the commands of the table. Name, type and description of an rpc's option come from the field of the request that
// it sets, and the response is printed as JSON of the interface.
import { type DescField, type DescMethodUnary, getOption } from "@bufbuild/protobuf";
import { Argument, type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { required_scope } from "../../gen/assessment/v1/options_pb.ts";
import { parseEnumWord } from "../../json/members.ts";
import { createJsonWriter } from "../../json/message-json.ts";
import { products } from "../../kernel/ids.ts";
import type { OpenContext } from "../command.ts";
import type { Operator } from "../operator.ts";
import { type Input, readInput } from "./fields.ts";
import type { CommandCall, JsonFields, RpcRow, TaskRow } from "./row.ts";
import { commands, descriptions, notFoundTexts } from "./rows.ts";

/** Comments of the protos, by the full names of rpcs and fields. */
export type Comments = Readonly<Record<string, string>>;

/** Declares the commands whose first word is the given one. */
export function addCommands(pas: Command, open: OpenContext, comments: Comments, first: string): void {
  const about = descriptions[first];
  const parentCommand: CommandUnknownOpts = about === undefined ? pas : pas.command(first).description(about);
  for (const [usage, value] of Object.entries(commands)) {
    const words = usage.split(" ");
    if (words[0] !== first) continue;
    const [name = "", ...fields] = about === undefined ? words : words.slice(1);
    const row = "kind" in value ? { rpc: value } : value;
    const command = parentCommand.command(name, {});
    if ("task" in row) addTask(command, open, row, fields);
    else addRpc(command, open, comments, { notFound: notFoundTexts[first], ...row }, fields);
    for (const [flag, meaning] of Object.entries(row.flags ?? {})) {
      const option = new Option(flag, meaning);
      const [, choices] = /<(\w+(?:\|\w+)+)>/.exec(flag) ?? [];
      command.addOption(choices === undefined ? option : option.choices(choices.split("|")));
    }
  }
}

const partnerAbout = "UUID of the partner.";
/** What tasks take. */
const operandTexts: Readonly<Record<string, string>> = {
  "<id>": partnerAbout,
  "<file>": "definition of an instrument, as JSON",
};

function addTask(command: CommandUnknownOpts, open: OpenContext, { about, task }: TaskRow, [field]: readonly string[]) {
  command.description(about);
  if (field !== undefined) command.argument(field, operandTexts[field]);
  command.action(async () => {
    const [word = ""] = command.processedArgs;
    await (await task())(open(), command.opts(), String(word));
  });
}

/** @param fields that it takes */
function addRpc(
  command: CommandUnknownOpts,
  open: OpenContext,
  comments: Comments,
  row: RpcRow,
  fields: readonly string[],
): void {
  const { rpc, fields: furtherFields } = row;
  const describeField = (field: DescField) => comments[`${field.parent.typeName}.${field.name}`] ?? "";
  command.description(row.about ?? extractFirstSentence(comments[`${rpc.parent.typeName}.${rpc.name}`]));
  if (actsForPartner(row)) {
    command.addOption(new Option("--partner <id>", partnerAbout).makeOptionMandatory(!fields.includes("partner?")));
  }
  if (rpc.input.field.product !== undefined) {
    command.addOption(new Option("--product <product>", describeField(rpc.input.field.product)).default(products[0]));
  }
  const names = [...fields, ...(furtherFields?.split(" ") ?? [])].filter((word) => word !== "partner?");
  const inputs = names.map((word) => readInput(rpc.input, word, describeField));
  for (const { parameter } of inputs) {
    if (parameter instanceof Argument) command.addArgument(parameter);
    else command.addOption(parameter);
  }
  command.action(async () => {
    const { withOperator } = await import("../operator.ts");
    const context = open();
    const options: JsonFields = command.opts();
    const request = readRequest(row, inputs, command.processedArgs, options);
    const actor = actsForPartner(row) ? (options.partner as string | undefined) : undefined;
    await withOperator(context, async (operator) => {
      const running = { ...context, request, options, partner: actor, ...createCalls(operator, row, actor) };
      await (row.run?.(running) ?? runByTable(row, running));
    });
  });
}

function readRequest(
  { defaults }: RpcRow,
  inputs: readonly Input[],
  operands: readonly unknown[],
  options: JsonFields,
): JsonFields {
  const request: Record<string, unknown> = options.product === undefined ? {} : { product: options.product };
  const values = operands.values();
  for (const { path, field, parameter } of inputs) {
    const text = parameter instanceof Argument ? values.next().value : options[parameter.attributeName()];
    if (text === undefined) continue;
    const value = field.enum === undefined ? text : parseEnumWord(field.enum, String(text));
    const [outer = "", inner] = path;
    request[outer] = inner === undefined ? value : { ...(request[outer] as JsonFields | undefined), [inner]: value };
  }
  return { ...request, ...defaults?.(options) };
}

function createCalls(operator: Operator, row: RpcRow, actor: string | undefined) {
  const call: CommandCall["call"] = async (fields, rpc = row.rpc, partner = actor) =>
    createJsonWriter(rpc.output, Number)(await operator.call(rpc, fields, partner, row.notFound));
  const pages: CommandCall["pages"] = async function* (fields, rpc = row.rpc) {
    const cursor = rpc.input.field.pageToken === undefined ? "after" : "pageToken";
    for (let at: unknown = ""; ; ) {
      const page = await call({ ...fields, [cursor]: at }, rpc);
      yield page;
      at = page.next ?? page.nextPageToken ?? page.nextCursor ?? "";
      if (at === "" || page.atEnd === true) return;
    }
  };
  const items: CommandCall["items"] = async function* (fields, rpc = row.rpc) {
    const list = listField(rpc)?.jsonName ?? "";
    for await (const page of pages(fields, rpc)) yield* page[list] as JsonFields[];
  };
  return { call, pages, items };
}

async function runByTable(row: RpcRow, { request, partner, call, items, print }: CommandCall): Promise<void> {
  const { rpc, format = (json) => json } = row;
  const [only] = rpc.output.fields.length === 1 ? rpc.output.fields : [];
  const formatOutput = (json: unknown) => format(json as JsonFields, { ...request, partner });
  if (listField(rpc) === undefined) {
    const json = await call(request);
    return print(formatOutput(only?.message === undefined ? json : json[only.jsonName]));
  }
  for await (const item of items(request)) print(formatOutput(item));
}

/** The list in the responses of an rpc that returns one. */
function listField({ output: { fields, field } }: DescMethodUnary): DescField | undefined {
  const isPaged = field.next !== undefined || field.nextPageToken !== undefined;
  return (isPaged || fields.length === 1 ? fields : []).find(({ fieldKind }) => fieldKind === "list");
}

function extractFirstSentence(text = ""): string {
  const [sentence = ""] = text.split(/\.(?= |$)/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Rpcs for operators only take the partner in the message. */
function actsForPartner({ rpc }: RpcRow): boolean {
  return getOption(rpc, required_scope) !== "admin";
}
