// What gRPC responses cost that nobody reads: clients that grant no window call until the budget of such responses is
// nearly used up.
import { type ClientHttp2Session, connect } from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import {
  AssessmentService,
  GetPublishedAssessmentRequestSchema,
} from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import { EventService, ListEventsRequestSchema } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { pathOf } from "../../../src/transport/grpc/unary-calls.ts";
import type { Bench, SectionResult } from "../bench.ts";
import type { Target } from "../load/orders.ts";
import { figure } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { residentBytes } from "../servers/process-usage.ts";
import { type Service, startService } from "../servers/service.ts";
import { storeSessions } from "../servers/stored-sessions.ts";

const mebibyte = 1 << 20;
/** What all responses that are not read yet may count. */
const responseBytes = 64 * mebibyte;
/** What each byte of a response counts as. */
const heldForEach = 2;
/** Of a connection: it may have 256 at a time. */
const streams = 250;
const atOnce = 8;
const restMs = 3_000;

const calls: Readonly<Record<string, { readonly path: string; readonly message: Uint8Array }>> = {
  "a page of 500 events": {
    path: pathOf(EventService.method.listEvents),
    message: toBinary(ListEventsRequestSchema, create(ListEventsRequestSchema, { pageSize: 500 })),
  },
  "the published assessment": {
    path: pathOf(AssessmentService.method.getPublishedAssessment),
    message: toBinary(
      GetPublishedAssessmentRequestSchema,
      create(GetPublishedAssessmentRequestSchema, { product: "values-bridge" }),
    ),
  },
};

/** Measures the memory of a service at rest, and with 95 % of the budget held by responses of one kind. */
export async function measureUnread({ options, server, say }: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  await storeSessions(database, {
    count: 500,
    state: "completed",
    answers: "varied",
    sessionsPerPerson: 1,
    isSettled: false,
  });
  const rows = [];
  for (const name of Object.keys(calls)) {
    say(`  ${name}`);
    const service = await startService(database);
    try {
      rows.push({ name, ...(await holdUnread(service, name)) });
    } finally {
      await service.stop();
    }
  }
  const shares = rows.map(({ counted, before, held }) => (held - before) / counted);
  return {
    tables: [
      {
        title: "gRPC responses that nobody reads, in MiB",
        head: [
          "responses of",
          "bytes each",
          "responses",
          "counted",
          "memory before",
          "at most",
          "held",
          "held / counted",
        ],
        rows: rows.map(({ name, bytes, count, ...row }, index) => [
          ...[name, String(bytes), String(count)],
          ...[row.counted, row.before, row.most, row.held].map((value) => figure(value / mebibyte)),
          figure(shares[index] ?? Number.NaN),
        ]),
      },
    ],
    figures: { "unread.held/counted": Math.max(...shares) },
    rounds: { rows, rounds: options.rounds },
  };
}

async function holdUnread(service: Service, name: string) {
  const target = service.target("grpc");
  const reading = connect(`http://127.0.0.1:${target.port}`);
  // Warm, so that what is compiled and cached counts before.
  let bytes = 0;
  for (let count = 0; count < 500; count += 1) bytes = await readOne(reading, target, name);
  reading.close();
  await pause(restMs);
  const before = residentBytes(service.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentBytes(service.pid))), 20);
  const count = Math.floor((0.95 * responseBytes) / (heldForEach * bytes));
  const sessions: ClientHttp2Session[] = [];
  try {
    for (let begun = 0; begun < count; begun += atOnce) {
      if (begun % streams < atOnce)
        sessions.push(connect(`http://127.0.0.1:${target.port}`, { settings: { initialWindowSize: 0 } }));
      const session = sessions.at(-1);
      if (session === undefined) break;
      await Promise.all(Array.from({ length: Math.min(atOnce, count - begun) }, () => answered(session, target, name)));
    }
    await pause(restMs);
    const held = residentBytes(service.pid);
    if (sessions.some(({ destroyed }) => destroyed)) throw new Error("a connection was closed");
    return { bytes, count, counted: heldForEach * bytes * count, before, most, held };
  } finally {
    clearInterval(watch);
    for (const session of sessions) session.destroy();
  }
}

function ask(session: ClientHttp2Session, { token }: Target, name: string) {
  const call = calls[name];
  if (call === undefined) throw new Error(`no call ${name}`);
  const stream = session.request({
    ...{ ":method": "POST", ":path": call.path, "content-type": "application/grpc", te: "trailers" },
    authorization: `Bearer ${token}`,
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(call.message.length, 1);
  stream.end(Buffer.concat([head, call.message]));
  stream.on("error", () => undefined);
  return stream;
}

/** @returns the bytes of the message */
async function readOne(session: ClientHttp2Session, target: Target, name: string): Promise<number> {
  let bytes = -5;
  for await (const chunk of ask(session, target, name)) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Resolves when there is a response, of which nothing is taken but its headers. */
function answered(session: ClientHttp2Session, target: Target, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = ask(session, target, name);
    stream.once("response", () => resolve());
    stream.once("close", () => reject(new Error("a stream was closed")));
  });
}
