// Exports as files: where a response ends, and what a slow reader costs.
import { once } from "node:events";
import { connect } from "node:net";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import {
  ExportResponses,
  maxCsvExportMs,
  maxExportMs,
  maxExportRows,
  writeExport,
} from "../../src/gateway/exports/export-stream.ts";
import type { ExportSessionsResponse } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { toCaller } from "../../src/kernel/calls/core.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { bodyOf, completedSession, newSession } from "../e2e/cases/case.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { someId, someSession } from "../support/builders.ts";
import { countOf, otherConnections } from "../support/databases/stores.ts";
import { appOfTest, gatewayOfTest } from "../support/of-test.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { until } from "../support/until.ts";
import { translatedDefinition } from "../support/values-bridge/definition.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

/** Sessions of the newest version, or of the oldest, that were created so long ago. */
async function insertSessions(
  { database: { connection } }: TestApp,
  partnerId: string,
  count: number,
  { which = "MAX" as "MAX" | "MIN", ageMs = 0, externalId = "person" } = {},
): Promise<void> {
  const [[version]] = (await connection.query(`SELECT ${which}(id) AS id FROM assessments`)) as unknown as [
    { id: number }[],
  ];
  const rows = Array.from({ length: count }, () => {
    const { id, mode, createdAt } = someSession({ id: uuidv7({ msecs: Date.now() - ageMs }) });
    return [uuidToBytes(id), uuidToBytes(partnerId), externalId, "values-bridge", version?.id, mode, 0, createdAt, ""];
  });
  const columns = "id, partner_id, external_id, product, assessment_id, mode, revision, created_at, answers";
  await connection.query(`INSERT INTO sessions (${columns}) VALUES ?`, [rows]);
}

/** How many pages of exports were read. */
const exportedPages = ({ database: { connection } }: TestApp) =>
  countOf(connection, "SELECT COUNT(*) FROM audit_log WHERE action = 'sessions.export'");

/** The ids of the rows of a CSV of the shipped version. */
async function readCsv({ httpUrl }: TestApp, { token }: { readonly token: string }) {
  const url = `${httpUrl}/v1/values-bridge/exports/sessions?format=csv&version=1`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const [, ...lines] = (await response.text()).trim().split("\r\n");
  return lines.map((line) => line.split(",")[0] ?? "");
}

describe("exports as CSV", () => {
  let app: TestApp;
  let token: string;
  beforeAll(async () => {
    app = await startTestApp();
    token = (await addCaller(app)).token;
    const world = { app, transport: restTransport(app.httpUrl), alice: { token }, bob: { token } };
    await completedSession(world);
    await newSession(world);
  });
  afterAll(() => app.stop());

  const get = (path: string, accept = "*/*") =>
    fetch(`${app.httpUrl}/v1/values-bridge/exports/${path}`, { headers: { authorization: `Bearer ${token}`, accept } });

  test("a CSV is chosen by its parameter or by Accept, and leaves out the columns that are not asked for", async () => {
    const accepted = await get("sessions?include=results", "text/csv");
    expect(accepted.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [header = ""] = (await accepted.text()).split("\r\n");
    expect(header).toContain("total_gap");
    expect(header).not.toContain("q001");
    const lines = await get("sessions?format=ndjson", "text/csv");
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
    expect((await lines.text()).split("\n")).toHaveLength(4);
    const wrong = await get("sessions?format=xml");
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([422, "invalid_request"]);
  });

  test("a CSV is whole, whatever pages it comes from, and those that have sessions of other versions alone", async () => {
    const [caller, other] = [await addCaller(app), await addCaller(app)];
    await app.publish({ ...translatedDefinition(), product: "values-bridge" });
    const hour = 3_600_000;
    await insertSessions(app, caller.partnerId, 450, { ageMs: 2 * hour });
    await insertSessions(app, caller.partnerId, 1, { which: "MIN", ageMs: hour });
    await insertSessions(app, other.partnerId, 250, { which: "MIN", ageMs: hour });
    await insertSessions(app, other.partnerId, 250, { which: "MIN" });
    expect(await readCsv(app, caller)).toHaveLength(1);
    const all = await readCsv(app, other);
    expect([all.length, new Set(all).size]).toEqual([500, 500]);
  });

  test("a CSV of a group has its sessions, in the columns of its version and form, for a client that may export alone", async () => {
    const own = await appOfTest();
    await own.publish({ ...longForm(), title: "Another version" });
    const { token: full, partnerId } = await addCaller(own);
    const exporter = await own.tokenOf(await own.addClient(partnerId, ["exports:read"]));
    const transport = restTransport(own.httpUrl);
    const world = { app: own, transport, alice: { token: full }, bob: { token: full } };
    const { httpUrl } = await gatewayOfTest(own);
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${exporter}` };
      const response = await fetch(`${httpUrl}/v1/values-bridge/exports/${path}`, { headers });
      return { status: response.status, lines: (await response.text()).trim().split("\r\n") };
    };
    for (const [form, questions] of [["long", 152] as const, ["short", 76] as const]) {
      for (const version of [1, 2]) {
        const group = await transport.createGroup(world.alice, { label: "Team", form });
        const { groupId } = bodyOf(group);
        if (version === 1) {
          await own.database.connection.query(
            "UPDATE session_groups SET assessment_id = assessment_id - (SELECT MAX(id) - MIN(id) FROM assessments) WHERE id = ?",
            [uuidToBytes(groupId)],
          );
        }
        const { sessionId } = await completedSession(world, { groupId, subject: { externalId: "user-1" } });
        const path = `sessions?format=csv&groupId=${groupId}`;
        const { lines } = await read(path);
        const [names = [], cells = []] = lines.map((line) => line.split(","));
        const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
        expect(lines).toHaveLength(2);
        expect(row).toMatchObject({ session_id: sessionId, version: String(version), form, group_id: groupId });
        const answers = Object.entries(row).filter(([name]) => /^q\d/.test(name));
        expect(answers.filter(([, value]) => value !== "")).toHaveLength(questions);
        expect(answers).toHaveLength(questions);
        const codebook = await read(`codebook?format=csv&groupId=${groupId}`);
        expect(codebook).toEqual(await read(`codebook?format=csv&version=${version}&form=${form}`));
        // Another version, or the other form, has none of its sessions, as in NDJSON.
        for (const other of [`version=${3 - version}`, `form=${form === "long" ? "short" : "long"}`])
          expect(await read(`${path}&${other}`)).toEqual({
            status: 200,
            lines: [expect.stringMatching(/^session_id,/)],
          });
      }
    }
    for (const path of ["sessions", "codebook"])
      expect((await read(`${path}?format=csv&groupId=${someId()}`)).status).toBe(404);
  });

  test("a CSV breaks off if a page cannot be read, so that no reader takes a part for the whole", async () => {
    const caller = await addCaller(app);
    await insertSessions(app, caller.partnerId, 450, { which: "MIN", ageMs: 3_600_000 });
    const { connection } = app.database;
    const [[third]] = (await connection.query(
      "SELECT id FROM sessions WHERE partner_id = ? ORDER BY id LIMIT 1 OFFSET 430",
      [uuidToBytes(caller.partnerId)],
    )) as unknown as [{ id: Buffer }[]];
    await connection.query("UPDATE sessions SET assessment_id = 999999 WHERE id = ?", [third?.id]);
    await expect(readCsv(app, caller)).rejects.toThrow("terminated");
  });

  test("an unknown caller gets 401, whatever is wrong with the parameters of a CSV", async () => {
    for (const path of ["sessions?format=xml", "sessions?format=csv&after=a&after=b", "codebook?format=xml"]) {
      expect((await fetch(`${app.httpUrl}/v1/values-bridge/exports/${path}`)).status).toBe(401);
    }
  });
});

test("HEAD returns the head of an export, and reads no page beyond the first", async () => {
  const app = await appOfTest();
  const { token, partnerId } = await addCaller(app);
  await insertSessions(app, partnerId, 200);
  const headers = { authorization: `Bearer ${token}` };
  const url = `${app.httpUrl}/v1/values-bridge/exports/sessions`;
  const head = await fetch(url, { method: "HEAD", headers });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  // A whole export takes two pages; had the first request read on, there would be more.
  const whole = await (await fetch(url, { headers })).text();
  expect(whole.trim().split("\n")).toHaveLength(200 + 1);
  expect(await exportedPages(app)).toBe(1 + 2);
});

/** Asks for an export, and reads no more than its first bytes. @param headers further ones, a line each */
async function askUnread(httpUrl: string, token: string, headers = "") {
  const { hostname, port } = new URL(httpUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /v1/values-bridge/exports/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n`,
  );
  await once(socket, "readable");
  return { status: socket.read(12)?.toString(), socket };
}

/** Asks again while two other pages of the client are being read, as it is told to. */
function openUnreadExport(httpUrl: string, token: string, headers?: string): Promise<boolean> {
  return until(async () => {
    const { status, socket } = await askUnread(httpUrl, token, headers);
    if (status === "HTTP/1.1 200") return true;
    socket.destroy();
    return false;
  });
}

test("an unread export holds no connection to the database, takes no further pages, and keeps only its own partner from exports", async () => {
  const app = await appOfTest();
  const { token, partnerId } = await addCaller(app);
  // Far more than all buffers between the service and the reader hold.
  const externalId = "x".repeat(255);
  for (let batch = 0; batch < 30; batch += 1) await insertSessions(app, partnerId, 1_000, { externalId });
  const clients = [token];
  while (clients.length < 4) clients.push(await app.tokenOf(await app.addClient(partnerId, partnerScopes)));
  const openUnread = (httpUrl = app.httpUrl) => openUnreadExport(httpUrl, token);
  await openUnread();
  let before = -1;
  let standing = 0;
  await expect
    .poll(
      async () => {
        const now = await exportedPages(app);
        standing = now === before ? standing + 1 : 0;
        before = now;
        return standing;
      },
      { interval: 500 },
    )
    .toBe(6);
  // All of them are 150.
  expect(before).toBeLessThan(150);
  const busy = (await otherConnections(app.database.connection)).filter(({ command }) => command !== "Sleep");
  expect(busy.filter(({ statement }) => statement.includes("sessions_partner"))).toEqual([]);
  const gateway = await gatewayOfTest(app);
  for (let more = 0; more < 3; more += 1) await openUnread();
  for (let all = 0; all < 4; all += 1) await openUnread(gateway.httpUrl);
  const other = await addCaller(app);
  const person = await restTransport(app.httpUrl).createSession(
    { token: other.token },
    { subject: { externalId: "person" } },
  );
  expect(person.ok).toBe(true);
  const headers = { authorization: `Bearer ${other.token}` };
  for (const { httpUrl } of [app, gateway]) {
    expect((await askUnread(httpUrl, token)).status).toBe("HTTP/1.1 503");
    // Nor do all clients of the partner take more than half.
    for (const client of clients.slice(1))
      await Promise.all(Array.from({ length: 4 }, () => askUnread(httpUrl, client)));
    for (const path of ["exports/sessions", "subjects/person/export"]) {
      const responses = Array.from({ length: 4 }, () => fetch(`${httpUrl}/v1/values-bridge/${path}`, { headers }));
      for (const response of await Promise.all(responses)) {
        expect(response.status).toBe(200);
        await response.text();
      }
    }
  }
});

test("exports of clients that act for a partner take nothing from the partner's own, in one process and through a gateway", async () => {
  const app = await appOfTest();
  const gateway = await gatewayOfTest(app);
  const { token, partnerId } = await addCaller(app);
  const externalId = "x".repeat(255);
  for (let batch = 0; batch < 10; batch += 1) await insertSessions(app, partnerId, 1_000, { externalId });
  const internalId = await app.addPartner({ internal: true });
  for (const { httpUrl } of [app, gateway]) {
    for (let agents = 0; agents < 2; agents += 1) {
      const agent = await app.tokenOf(await app.addClient(internalId, [...partnerScopes, "partners:act-as"]));
      for (let open = 0; open < 4; open += 1) {
        await openUnreadExport(httpUrl, agent, `Partner-Id: ${partnerId}\r\n`);
      }
    }
    expect((await askUnread(httpUrl, token)).status).toBe("HTTP/1.1 200");
  }
});

describe("the body of an export", () => {
  const pageOf = (count: number, nextCursor: string, atEnd = false) =>
    ({ sessions: Array.from({ length: count }, () => ({})), nextCursor, atEnd }) as unknown as ExportSessionsResponse;
  const text = {
    head: "head ",
    row: () => "row ",
    separator: "",
    tail: (cursor: string, atEnd: boolean) => `${cursor} ${atEnd}`,
    maxMs: maxExportMs,
  };
  async function written(
    first: ExportSessionsResponse,
    read: (next: { readonly after: string }) => Promise<ExportSessionsResponse>,
    { format = text, now = (): number => 0, wait = (_milliseconds: number) => Promise.resolve() } = {},
  ): Promise<string> {
    let all = "";
    for await (const part of writeExport(first, read, format, { now, wait })) all += part;
    return all;
  }

  test("an export has its separator between any two rows, whatever pages they come from", async () => {
    const [second, third] = [pageOf(0, "b"), pageOf(2, "c", true)];
    const format = { ...text, separator: "," };
    const all = await written(pageOf(6, "a"), async ({ after }) => (after === "a" ? second : third), { format });
    expect(all).toBe("head row ,row ,row ,row ,row ,row ,row ,row c true");
  });

  test(`an export ends after ${maxExportRows} sessions`, async () => {
    const all = await written(pageOf(200, "0"), async ({ after }) => pageOf(200, String(Number(after) + 1)));
    expect(all.match(/row/g)).toHaveLength(maxExportRows);
    expect(all.endsWith(`row ${maxExportRows / 200 - 1} false`)).toBe(true);
  });

  test("an export ends after a minute", async () => {
    let now = 0;
    const read = async () => {
      now += maxExportMs / 2;
      return pageOf(1, String(now));
    };
    expect(await written(pageOf(1, "0"), read, { now: () => now })).toBe(`head row row row ${maxExportMs} false`);
  });

  test("an export ends with the cursor before a page that fails to load", async () => {
    const read = () => Promise.reject(new Error("away"));
    expect(await written(pageOf(1, "a"), read)).toBe("head row a false");
  });

  test("an export without a place for its cursor has any number of sessions, and breaks off after ten minutes or at a page that fails to load", async () => {
    const whole = { ...text, tail: undefined, maxMs: maxCsvExportMs };
    let now = 0;
    const time = { now: () => now, wait: () => Promise.resolve() };
    const write = async (read: (next: { readonly after: string }) => Promise<ExportSessionsResponse>) => {
      let rows = 0;
      for await (const part of writeExport(pageOf(200, "0"), read, whole, time)) rows += part.split("row").length - 1;
      return rows;
    };
    const last = maxExportRows / 200;
    expect(await write(async ({ after }) => pageOf(200, String(Number(after) + 1), Number(after) === last))).toBe(
      200 * (last + 2),
    );
    const broken = expect.objectContaining({ code: "unavailable" });
    await expect(write(() => Promise.reject(new Error("away")))).rejects.toEqual(broken);
    const slow = async () => {
      now += maxCsvExportMs / 2;
      return pageOf(1, String(now));
    };
    await expect(write(slow)).rejects.toEqual(broken);
    expect(now).toBe(maxCsvExportMs);
  });

  test("an export waits for a page as long as the refusal asks, but not beyond its own end", async () => {
    let [now, refusals] = [0, 0];
    const time = {
      now: () => now,
      wait: async (milliseconds: number) => {
        now += milliseconds;
      },
    };
    const busy = () => {
      refusals += 1;
      return new Refusal("unavailable", "Busy.", { retryAfterSeconds: 7 });
    };
    const read = () => (refusals < 3 ? Promise.reject(busy()) : Promise.resolve(pageOf(1, "b", true)));
    expect(await written(pageOf(1, "a"), read, time)).toBe("head row row b true");
    expect(now).toBe(21_000);
    const never = () => Promise.reject(busy());
    expect(await written(pageOf(1, "a"), never, time)).toBe("head row a false");
    expect(now).toBe(21_000 + 56_000);
  });
});

async function* endless() {
  for (;;) yield "x".repeat(1 << 16);
}

const tooMany = expect.objectContaining({ code: "unavailable", retryAfterSeconds: 5 });

test("a client has four exports at a time, its partner eight, and a process sixteen", async () => {
  const open = new ExportResponses();
  const begin = (partner: string, client: string) => open.createBody({ partner, client }, endless(), maxExportMs);
  const bodies = [];
  for (const [partner, clients] of [
    ["a", ["one", "two"]],
    ["b", ["three", "four"]],
  ] as const) {
    for (const client of clients) {
      for (let count = 0; count < 4; count += 1) bodies.push(await begin(partner, client));
      await expect(begin(partner, client)).rejects.toEqual(tooMany);
    }
    await expect(begin(partner, "another")).rejects.toEqual(tooMany);
  }
  await expect(begin("c", "new")).rejects.toEqual(tooMany);
  const [first] = bodies;
  first?.destroy();
  if (first !== undefined) await once(first, "close");
  bodies.push(await begin("c", "new"));
  for (const body of bodies) body.destroy();
});

test("an unread export ends half a minute after its last page, and its client can start another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const open = new ExportResponses();
  const client = toCaller(someId(), someId());
  const four = () => Promise.all(Array.from({ length: 4 }, () => open.createBody(client, endless(), maxExportMs)));
  const bodies = await four();
  const closed = bodies.map((body) => once(body, "close"));
  vi.advanceTimersByTime(maxExportMs + 30_000 - 1);
  expect(bodies.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
  vi.advanceTimersByTime(1);
  expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
  await Promise.all(closed);
  const [next, ...others] = await four();
  next?.destroy();
  vi.advanceTimersByTime(maxExportMs + 30_000);
  expect(others.every(({ destroyed }) => destroyed)).toBe(true);
});
