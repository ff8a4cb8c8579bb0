// Fields of requests as arguments and options of commands.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { listEnumWords } from "../../json/bounds.ts";
import { isTime } from "../../json/members.ts";
import { isCalendarDay, isRfc3339 } from "../../kernel/formats.ts";

/** A field that a command takes. */
export interface Input {
  /** Path of field names to it in the request. */
  readonly path: readonly string[];
  readonly field: DescField;
  readonly parameter: Argument | Option;
}

/**
 * @param word a field by its name in the proto, as in a row of the table
 * @param about returns the comment of a field
 */
export function readInput(request: DescMessage, word: string, about: (field: DescField) => string): Input {
  const [, bracket, alias, names = "", mark] = /^(<?)(?:([a-z-]+)=)?([a-z_.]+)>?(!?)$/.exec(word) ?? [];
  const path: string[] = [];
  let field: DescField | undefined;
  for (const name of names.split(".")) {
    field = (field?.message ?? request).fields.find((each) => each.name === name);
    if (field === undefined) break;
    path.push(field.localName);
  }
  if (field === undefined) throw new Error(`${request.typeName} has no field ${word}`);
  const flag = alias ?? field.name.replaceAll("_", "-");
  const parameter =
    bracket === "<"
      ? declareArgument(flag, field, about(field))
      : declareOption(flag, field, about(field), mark === "!");
  return { path, field, parameter };
}

function declareArgument(flag: string, field: DescField, about: string): Argument {
  const name = isId(field) ? "id" : flag;
  return new Argument(field.fieldKind === "list" ? `<${name}...>` : `<${name}>`, about);
}

function declareOption(flag: string, field: DescField, about: string, isRequired: boolean): Option {
  const { takes, read } = describeValue(flag, field);
  const option = new Option(
    takes === "" ? `--${flag}` : `--${flag} <${takes}>`,
    field.fieldKind === "list" ? `${about} With spaces or commas between.` : about,
  );
  if (field.enum !== undefined) option.choices(listEnumWords(field.enum));
  if (read !== undefined) option.argParser(read);
  return option.makeOptionMandatory(isRequired);
}

/** The placeholder of an option's value in help, and its parser. */
function describeValue(flag: string, field: DescField): { takes: string; read?: (text: string) => unknown } {
  if (isTime(field)) return { takes: "time", read: (text) => timestampFromDate(parseTime(text)) };
  if (field.name.endsWith("_days"))
    return { takes: "days", read: (text) => (text === "never" ? text : parsePositive(text)) };
  if (field.fieldKind === "list")
    return { takes: flag, read: (text) => text.split(/[\s,]+/).filter((one) => one !== "") };
  if (field.scalar === ScalarType.BOOL) return { takes: "" };
  if (field.scalar === ScalarType.INT32) return { takes: "n", read: parsePositive };
  if (isId(field)) return { takes: "id" };
  return { takes: flag.split("-").at(-1) ?? flag };
}

function isId({ name }: DescField): boolean {
  return /(^|_)id$/.test(name);
}

/** A day, or a time with its zone. */
function parseTime(text: string): Date {
  if (isCalendarDay(text) || isRfc3339(text)) return new Date(text);
  throw new InvalidArgumentError("It must be a day, or a time with its zone, such as 2026-11-21T15:04:05Z.");
}

/** A number from 1. */
function parsePositive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1.");
}
