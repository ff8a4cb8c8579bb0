// A collector of traces: it takes OTLP over HTTP as OpenTelemetry's own would, and tells what came.
import { once } from "node:events";
import { createServer } from "node:http";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { listenOnLoopback } from "./loopback.ts";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "other";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
  readonly seconds: number;
  /** Name of the service that sent it. */
  readonly service: string;
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** Starts a collector on loopback. @param status that it answers */
export async function startCollector(status = 200) {
  const spans: CollectedSpan[] = [];
  const bytes: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isTraces = request.url === "/v1/traces" && request.headers["content-type"] === "application/x-protobuf";
    if (isTraces && status === 200) {
      bytes.push(body);
      spans.push(...spansOf(body));
    }
    response.writeHead(isTraces ? status : 404, { "content-type": "application/x-protobuf" }).end();
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans: spans as readonly CollectedSpan[],
    /** All bytes that came. */
    bytes: bytes as readonly Buffer[],
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

type Field = Uint8Array | number | bigint;

/** The fields of a message by number, as opentelemetry/proto/trace/v1/trace.proto names them. */
function fieldsOf(bytes: Uint8Array): Map<number, Field[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Field[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const values = fields.get(number) ?? [];
    fields.set(number, values);
    if (type === WireType.LengthDelimited) values.push(reader.bytes());
    else if (type === WireType.Bit64) values.push(BigInt(reader.fixed64()));
    else if (type === WireType.Bit32) values.push(reader.fixed32());
    else values.push(BigInt(reader.uint64()));
  }
  return fields;
}

const messages = (fields: Map<number, Field[]>, number: number) => (fields.get(number) ?? []) as Uint8Array[];
const textOf = (fields: Map<number, Field[]>, number: number) =>
  Buffer.from(messages(fields, number)[0] ?? []).toString();
const hexOf = (fields: Map<number, Field[]>, number: number) =>
  Buffer.from(messages(fields, number)[0] ?? []).toString("hex");

/** ExportTraceServiceRequest. */
function spansOf(body: Uint8Array): CollectedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const fields = fieldsOf(resourceSpans);
    const [resource = new Uint8Array()] = messages(fields, 1);
    const service = String(attributesOf(fieldsOf(resource), 1)["service.name"]);
    const scopes = messages(fields, 2).map(fieldsOf);
    return scopes.flatMap((scope) => messages(scope, 2).map((span) => toSpan(fieldsOf(span), service)));
  });
}

const kinds = { 1: "internal", 2: "server", 3: "client" } as const;
const errorStatus = 2;

function toSpan(fields: Map<number, Field[]>, service: string): CollectedSpan {
  const number = (name: number) => Number(fields.get(name)?.[0] ?? 0);
  const [status = new Uint8Array()] = messages(fields, 15);
  const nanoseconds = BigInt(fields.get(8)?.[0] as bigint) - BigInt(fields.get(7)?.[0] as bigint);
  return {
    traceId: hexOf(fields, 1),
    spanId: hexOf(fields, 2),
    parentSpanId: hexOf(fields, 4),
    name: textOf(fields, 5),
    kind: kinds[number(6) as keyof typeof kinds] ?? "other",
    attributes: attributesOf(fields, 9),
    isError: Number(fieldsOf(status).get(3)?.[0] ?? 0) === errorStatus,
    seconds: Number(nanoseconds) / 1e9,
    service,
  };
}

function attributesOf(fields: Map<number, Field[]>, number: number): Record<string, string | number> {
  const pairs = messages(fields, number).map((bytes) => {
    const pair = fieldsOf(bytes);
    const value = fieldsOf(messages(pair, 2)[0] ?? new Uint8Array());
    return [textOf(pair, 1), value.has(1) ? textOf(value, 1) : Number(value.get(3)?.[0] ?? Number.NaN)];
  });
  return Object.fromEntries(pairs);
}
