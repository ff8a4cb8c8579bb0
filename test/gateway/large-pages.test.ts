// Exports of a definition as large as the limits allow, through a gateway of its own: whatever a page would take, it arrives.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import {
  ExportSessionsRequestSchema,
  ExportSessionsResponseSchema,
} from "../../src/gen/assessment/v1/export_service_pb.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { completedWith } from "../e2e/cases/case.ts";
import { addCaller } from "../support/app.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { wordiestDefinition } from "../support/values-bridge/definition.ts";

/** More than two pages by their bytes, and less than one by their number. */
const sessions = 120;
/** Those of one person, a page each. */
const ofPerson = 3;
/** What libraries of gRPC take unless they are told otherwise. */
const usualBytes = 4 << 20;
const product = "values-bridge";
const definition = { ...wordiestDefinition(), product };

const ids = Array.from({ length: sessions }, (_, index) => uuidv7({ msecs: Date.now() - 600_000 + index }));

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
await app.publish(definition);
const { token } = await addCaller(app);
const headers = { authorization: `Bearer ${token}` };
const world = { app, transport: restTransport(app.httpUrl), alice: { token }, bob: { token } };
const ratings = Array.from({ length: 960 }, (_, index) => 1 + ((index * 7) % 5));
const answered = await completedWith(world, ratings, { subject: { externalId: "somebody" } });
await copySession(answered.sessionId);

/** Puts copies with the ids above in its place, the first ones of the same person. */
async function copySession(id: string): Promise<void> {
  const { connection } = app.database;
  await connection.query("CREATE TEMPORARY TABLE copied AS SELECT * FROM sessions WHERE id = ?", [uuidToBytes(id)]);
  await connection.query("DELETE FROM sessions WHERE id = ?", [uuidToBytes(id)]);
  for (const [index, copy] of ids.entries()) {
    const externalId = index < ofPerson ? "somebody" : copy;
    await connection.query("UPDATE copied SET id = ?, external_id = ?", [uuidToBytes(copy), externalId]);
    await connection.query("INSERT INTO sessions SELECT * FROM copied");
  }
}

async function read(path: string): Promise<string> {
  const response = await fetch(`${gateway.httpUrl}/v1/${product}/${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

test("a large assessment arrives with all its questions", async () => {
  const assessment = JSON.parse(await read("assessment")) as { questions: object[] };
  expect(assessment.questions).toHaveLength(960);
});

test("an export of all sessions has each of them once, and ends", async () => {
  const lines = (await read("exports/sessions")).trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as { sessionId?: string; atEnd?: boolean });
  expect(rows.at(-1)?.atEnd).toBe(true);
  expect(rows.slice(0, -1).map(({ sessionId }) => sessionId)).toEqual(ids);
});

test("an export of a person has each of their sessions once with every statement, and ends", async () => {
  const exported = JSON.parse(await read("subjects/somebody/export")) as {
    sessions: { sessionId: string; answers: object[] }[];
    atEnd: boolean;
  };
  const rows = exported.sessions.map(({ sessionId, answers }) => [sessionId, answers.length]);
  expect([rows, exported.atEnd]).toEqual([ids.slice(0, ofPerson).map((id) => [id, 960]), true]);
});

test("each page has fewer bytes than gRPC usually takes, and who goes on by their cursors has each session once", async () => {
  const sessionIds: string[] = [];
  for (let after = "", atEnd = false; !atEnd; ) {
    const body = toBinary(ExportSessionsRequestSchema, create(ExportSessionsRequestSchema, { product, after }));
    const response = await fetch(`${app.httpUrl}/assessment.v1.ExportService/ExportSessions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/proto" },
      body,
    });
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(usualBytes);
    const page = fromBinary(ExportSessionsResponseSchema, bytes);
    sessionIds.push(...page.sessions.map(({ sessionId }) => sessionId));
    ({ nextCursor: after, atEnd } = page);
  }
  expect(sessionIds).toEqual(ids);
});
