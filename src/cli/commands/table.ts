// Declares the commands of the table. Name, type and description of an rpc's option come from the field of the request that
// it sets, and the response is printed as JSON of the interface.
import { type DescField, getOption } from "@bufbuild/protobuf";
import { Argument, type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { required_scope } from "../../gen/assessment/v1/options_pb.ts";
import { parseEnumWord } from "../../json/members.ts";
import { products } from "../../kernel/ids.ts";
import type { OpenContext } from "../command.ts";
import { type Input, readInput } from "./fields.ts";
import type { JsonFields, Operator, RpcRow, TaskRow } from "./row.ts";
import { calls, descriptions, notFoundTexts } from "./rows.ts";
import { tasks } from "./tasks.ts";

/** Comments of the protos, by the full names of rpcs and fields. */
export type Comments = Readonly<Record<string, string>>;

/** Declares the commands whose first word is the given one. */
export function addCommands(pas: Command, open: OpenContext, comments: Comments, first: string): void {
  const about = descriptions[first];
  const parentCommand: CommandUnknownOpts = about === undefined ? pas : pas.command(first).description(about);
  for (const [usage, value] of [...Object.entries(calls), ...Object.entries(tasks)]) {
    const words = usage.split(" ");
    if (words[0] !== first) continue;
    const [name = "", ...fields] = about === undefined ? words : words.slice(1);
    const row = "kind" in value ? { rpc: value } : value;
    const command = parentCommand.command(name, {});
    if ("load" in row) addTask(command, open, row, fields);
    else addRpc(command, open, comments, { notFound: notFoundTexts[first], ...row }, fields);
    for (const option of row.options ?? []) command.addOption(option);
  }
}

const partnerAbout = "UUID of the partner.";
/** Operands of tasks. */
const operandTexts: Readonly<Record<string, string>> = {
  "<id>": partnerAbout,
  "<file>": "definition of an instrument, as JSON",
};

function addTask(command: CommandUnknownOpts, open: OpenContext, { about, load }: TaskRow, [field]: readonly string[]) {
  command.description(about);
  if (field !== undefined) command.argument(field, operandTexts[field]);
  command.action(async () => {
    const [operand] = command.processedArgs;
    await (await load())(open(), command.opts() as never, String(operand));
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
    const { printResponse, withOperator } = await import("../operator.ts");
    const context = open();
    const options: JsonFields = command.opts();
    const request = readRequest(row, inputs, command.processedArgs, options);
    const partner = actsForPartner(row) ? (options.partner as string | undefined) : undefined;
    const run = row.run ?? printResponse;
    const work = (operator: Operator) => run({ ...context, ...operator, rpc, request, options, partner });
    await withOperator(context, work, row.notFound);
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
  return { ...defaults, ...request };
}

function extractFirstSentence(text = ""): string {
  const [sentence = ""] = text.split(/\.(?= |$)/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Rpcs for operators only take the partner in the message. */
function actsForPartner({ rpc }: RpcRow): boolean {
  return getOption(rpc, required_scope) !== "admin";
}
