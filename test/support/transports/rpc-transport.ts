// The gRPC and Connect transports as their clients call them, with outcomes in the shape of the REST interface.
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  getOption,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport as Wire } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import type { Operation } from "../../../src/gateway/rest/operations.ts";
import { GroupService } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { json as jsonRule } from "../../../src/gen/assessment/v1/options_pb.ts";
import { ReportSchema } from "../../../src/gen/assessment/v1/report_pb.ts";
import { type RenderReportResponse, ReportService } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { TeamReportSchema } from "../../../src/gen/assessment/v1/team_report_pb.ts";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { findWrappedList, isTime } from "../../../src/json/members.ts";
import { createJsonWriter } from "../../../src/json/messages.ts";
import { GrpcClient } from "./grpc-client.ts";
import {
  type As,
  createTransport,
  type Input,
  type Outcome,
  type Transport,
  type TransportName,
} from "./transports.ts";

type Call = (method: DescMethodUnary, message: object, metadata: Record<string, string>) => Promise<Fields>;
type Fields = Readonly<Record<string, unknown>>;

/** A number that names nothing. */
const unknown = 99;

/** A client of the gRPC transport. */
export function grpcTransport(address: string): Transport {
  const client = new GrpcClient(address);
  const call: Call = async (method, message, metadata) =>
    fieldsOf(await client.unary(method, message as MessageInitShape<DescMessage>, { metadata }));
  return transportOver("grpc", call, () => client.close());
}

/** A client of the Connect transport, in binary or JSON form. */
export function connectTransport(httpUrl: string, useBinaryFormat: boolean): Transport {
  return transportOn(createConnectTransport({ baseUrl: httpUrl, httpVersion: "1.1", useBinaryFormat }));
}

/** A client of gRPC-Web, in binary or JSON form. */
export function grpcWebTransport(httpUrl: string, useBinaryFormat: boolean): Transport {
  return transportOn(createGrpcWebTransport({ baseUrl: httpUrl, httpVersion: "1.1", useBinaryFormat }));
}

function transportOn(wire: Wire): Transport {
  const call: Call = async (method, message, metadata) => {
    const request = message as MessageInitShape<DescMessage>;
    return fieldsOf((await wire.unary(method, undefined, undefined, metadata, request)).message);
  };
  return transportOver("connect", call, () => undefined);
}

function fieldsOf(message: MessageShape<DescMessage>): Fields {
  return message as unknown as Fields;
}

function transportOver(name: TransportName, call: Call, close: () => void): Transport {
  const send = async <T>(
    as: As,
    operation: Operation,
    rpc: DescMethodUnary,
    input: Input,
    toBody: (answer: Fields) => T,
  ): Promise<Outcome<T>> => {
    const metadata: Record<string, string> = {};
    if (as.token !== undefined) metadata.authorization = `Bearer ${as.token}`;
    if (as.partnerId !== undefined) metadata["partner-id"] = as.partnerId;
    const { product = "values-bridge", idempotencyKey } = as;
    const request = nameQuery(operation, { product, idempotencyKey, ...input });
    try {
      const answer = await call(rpc, messageOf(rpc.input, request), metadata);
      const unused = [answer.unused ?? []].flat().join(", ");
      return { ok: true, body: toBody(answer), replayed: answer.replayed === true, unused };
    } catch (error) {
      return toRefusal(error, operation.hasBody);
    }
  };
  return createTransport({
    name,
    call: (as, operation, input) => send(as, operation, operation.rpc, input, (answer) => bodyOf(operation, answer)),
    render: (as, operation, { knownEntityTag, ...input }) =>
      send(as, operation, operation.rpc, { ...input, knownEntityTags: [knownEntityTag ?? []].flat() }, (answer) => {
        const { mediaType, body, entityTag, fileName, language, notModified } =
          answer as unknown as RenderReportResponse;
        return { mediaType, body: Buffer.from(body), entityTag, fileName, language, notModified };
      }),
    report: (as, operation, input) => {
      const isTeam = operation.id === "getTeamReport";
      const rpc = isTeam ? GroupService.method.getTeamReport : ReportService.method.getReport;
      const write = createJsonWriter<DescMessage>(isTeam ? TeamReportSchema : ReportSchema);
      return send(as, operation, rpc, input, ({ report }) => plain(write(report as MessageShape<DescMessage>)));
    },
    close,
  });
}

/** Members by the JSON names of their fields, where the query of REST calls them otherwise. */
function nameQuery({ query }: Operation, input: Input): Input {
  // Messages have both parts of sessions unless one is left out.
  const parts = { withoutAnswers: input.include === "results", withoutResults: input.include === "answers" };
  return Object.fromEntries(
    Object.entries({ ...input, ...parts }).flatMap(([name, value]) => {
      const parameter = query.find((each) => each.name === name && each.rule.queryWord === "");
      return value === undefined ? [] : [[parameter?.field.jsonName ?? name, value]];
    }),
  );
}

/** The message of JSON in the shape of the interface. Members that it has no field for are REST's alone. */
function messageOf(schema: DescMessage, input: Input): Fields {
  const message: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const json = input[field.jsonName];
    if (json === undefined) continue;
    const value =
      field.fieldKind === "list" ? (json as unknown[]).map((item) => fieldValue(field, item)) : fieldValue(field, json);
    if (field.oneof === undefined) message[field.localName] = value;
    else message[field.oneof.localName] = { case: field.localName, value };
  }
  return message;
}

function fieldValue(field: DescField, json: unknown): unknown {
  if (isTime(field)) return timestampFromDate(new Date(String(json)));
  if (field.enum !== undefined) {
    return numberOf(field.enum, String(json)) ?? (getOption(field, jsonRule).format === "open" ? 0 : unknown);
  }
  if (field.message === undefined || field.message.typeName.startsWith("google.protobuf.")) return json;
  const wrapped = findWrappedList(field.message);
  const isWrapped = wrapped !== undefined && Array.isArray(json);
  return messageOf(field.message, isWrapped ? { [wrapped.jsonName]: json } : (json as Input));
}

function numberOf(schema: DescEnum, word: string): number | undefined {
  return schema.values.find(({ localName }) => localName === word.toUpperCase())?.number;
}

function bodyOf({ response }: Operation, answer: Fields): unknown {
  if (response === undefined) return undefined;
  const { message, field } = response;
  const whole = field === undefined ? answer : (answer[field.localName] as Fields);
  const body = createJsonWriter<DescMessage>(message)(whole as unknown as MessageShape<DescMessage>);
  for (const { localName, fields } of message.oneofs) {
    const oneof = whole[localName] as { readonly case?: string; readonly value: MessageShape<DescMessage> };
    const schema = fields.find((each) => each.localName === oneof.case)?.message;
    if (schema !== undefined) Object.assign(body, createJsonWriter<DescMessage>(schema)(oneof.value));
  }
  return plain(body);
}

/** As it is once it was written. */
function plain(json: object): unknown {
  return JSON.parse(JSON.stringify(json));
}

/** @param isInBody whether violations have a place in the body that REST would have */
function toRefusal(error: unknown, isInBody: boolean): Outcome<never> {
  if (!(error instanceof ConnectError)) throw error;
  const info = error.findDetails(ErrorInfoSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  return {
    ok: false,
    code: info?.reason.toLowerCase() ?? `grpc ${Code[error.code]}`,
    detail: error.rawMessage,
    faults: violations.map(({ field, reason }) => ({
      pointer: isInBody ? toPointer(field) : "#",
      code: reason.toLowerCase(),
    })),
    retryAfterSeconds: delay === undefined ? undefined : Number(delay.seconds),
    facts: { ...info?.metadata },
  };
}

/** `answers[0].question_id` is what REST calls `#/answers/0/questionId`. */
function toPointer(field: string): string {
  if (["idempotency_key", "version", "picture", "paper", ""].includes(field)) return "#";
  const camel = field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return `#/${camel.replaceAll("[", "/").replaceAll("]", "").replaceAll(".", "/")}`;
}

/** Calls an rpc over Connect with JSON and whatever headers. @param rpc such as `SessionService/GetSession` @returns the body */
export async function callConnect<T>(
  httpUrl: string,
  rpc: string,
  message: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const all = { "content-type": "application/json", ...headers };
  const init = { method: "POST", headers: all, body: JSON.stringify(message) };
  return (await (await fetch(`${httpUrl}/assessment.v1.${rpc}`, init)).json()) as T;
}
