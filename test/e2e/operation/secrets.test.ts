// Nothing secret or personal reaches logs, metrics, traces or errors, at any level: marked values are sent everywhere
// and then searched for in all that the service wrote and answered.
import { afterAll, expect, test } from "vitest";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { fetchToken } from "../../support/databases/partners.ts";
import { folderOfFile } from "../../support/folders.ts";
import { startCollector } from "../../support/processes/collector.ts";
import { pas, startPas } from "../../support/processes/command.ts";
import { GrpcClient } from "../../support/transports/grpc-client.ts";
import { sendRaw } from "../../support/transports/wire/raw-http.ts";

const mark = "planted7c1e";
const folder = folderOfFile();
const database = await createEmptyDatabase();
const collector = await startCollector();
const ports = { HTTP_PORT: "0", GRPC_PORT: "0" };
const environment = {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  ...ports,
  LOG_LEVEL: "trace",
  RATE_LIMIT_PER_MINUTE: "0",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER_ARG: "1",
};
await pas(["migrate"], environment);
const service = startPas(["serve"], environment);
const [, url = "", port = ""] = await service.wrote(/"http":"([^"]+)","grpcPort":(\d+)/);
const httpUrl = url;
const grpcAddress = `127.0.0.1:${port}`;
afterAll(async () => {
  service.kill("SIGTERM");
  await service.ended;
  await collector.close();
  await database.drop();
});

test("log and traces are written in full, and contain none of the planted secrets", async () => {
  const partner = JSON.parse((await pas(["partner", "create", "--name", `Partner ${mark}`], environment)).stdout);
  const scopes = "sessions:write sessions:read results:read subjects:delete";
  const creation = await pas(
    ["client", "create", "--partner", partner.partnerId, "--name", "c", "--scopes", scopes],
    environment,
  );
  const client = JSON.parse(creation.stdout);
  const token = await fetchToken(httpUrl, client);
  const answered: string[] = [];
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(httpUrl + path, text === undefined ? init : { ...init, body: text });
    const answer = await response.text();
    if (!response.ok) answered.push(answer, JSON.stringify([...response.headers]));
    return { status: response.status, answer };
  };
  const base = "/v1/values-bridge";
  const person = `${mark}@example.com`;
  const input = {
    subject: { externalId: person, note: mark },
    metadata: { [mark]: mark },
    redirectUrl: `https://partner.example/?${mark}`,
    mode: "hosted",
  };
  const created = await send("POST", `${base}/sessions`, input, { "idempotency-key": mark });
  expect(created.status).toBe(201);
  const { sessionId, hostedUrl } = JSON.parse(created.answer);
  await send("POST", `${base}/sessions`, { ...input, mode: "headless" }, { "idempotency-key": mark });
  await send("GET", `${base}/subjects/${encodeURIComponent(person)}/results?other=${mark}`);
  // Names of parameters and of members are told to who sent them, and to nobody else.
  const authorization = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await fetch(`${httpUrl}${base}/assessment?${mark}=1`, { headers: authorization });
  const misspelled = { method: "POST", headers: authorization, body: JSON.stringify({ [mark]: mark }) };
  await fetch(`${httpUrl}${base}/sessions`, misspelled);
  await send("GET", `${base}/nowhere/${mark}?${mark}`);
  await send("GET", `/${mark}`);
  await send("PUT", `${base}/subjects/${mark}`);
  await send("POST", `${base}/sessions`, { subject: { externalId: `${mark}\n` }, locale: mark, redirectUrl: mark });
  await send("POST", `${base}/sessions`, `{"${mark}`);
  await send("POST", `${base}/sessions/${sessionId}/answers`, {
    answers: [{ questionId: 1, response: { type: mark, value: 1 } }],
  });
  await send("GET", `${base}/sessions/${mark}`);
  await send("GET", `${base}/assessment?version=${mark}`, undefined, { authorization: `Bearer ${mark}` });
  await send("GET", `${base}/sessions/${sessionId}`, undefined, { authorization: `Basic ${mark}`, "partner-id": mark });
  await send("POST", "/oauth/token", `client_id=${mark}&client_secret=${mark}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  await fetch(hostedUrl, { redirect: "manual" });
  await sendRaw(httpUrl, `${mark} /${mark} HTTP/9\r\n\r\n`).catch(() => undefined);
  await sendRaw(httpUrl, `GET /${mark}/%zz HTTP/1.1\r\nHost: ${mark}\r\n\r\n`);

  const grpc = new GrpcClient(grpcAddress);
  const metadata = { authorization: `Bearer ${token}`, [`x-${mark}`]: mark };
  const calls = [
    grpc.unary(SessionService.method.createSession, { product: mark }, { metadata }),
    grpc.unary(
      SessionService.method.createSession,
      { product: "values-bridge", locale: mark, metadata: { [mark]: mark } },
      { metadata },
    ),
    grpc.unary(
      SessionService.method.getSession,
      { product: mark, sessionId: mark },
      { metadata: { authorization: mark } },
    ),
  ];
  for (const call of await Promise.allSettled(calls))
    if (call.status === "rejected") answered.push(String(call.reason));
  grpc.close();
  await fetch(`${httpUrl}/assessment.v1.SessionService/CreateSession`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: `{"product": "values-bridge", "${mark}": "${mark}"}`,
  });

  // A defect of the service: the error of the database would hold SQL and values.
  await database.connection.query("ALTER TABLE sessions DROP COLUMN locale");
  expect((await send("POST", `${base}/sessions`, { subject: { externalId: person } })).status).toBe(500);
  answered.push(await (await fetch(`${httpUrl}/metrics`)).text());

  // Spans are sent at the stop at the latest.
  service.kill("SIGTERM");
  await service.ended;
  expect(collector.spans.length).toBeGreaterThan(50);
  const traces = Buffer.concat(collector.bytes).toString();
  const { stdout, stderr } = service.output();
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => line.msg === "call").length).toBeGreaterThan(10);
  expect(lines.find((line) => line.level === "error")).toMatchObject({
    outcome: "internal",
    err: { code: "ER_BAD_FIELD_ERROR" },
  });
  const secrets = [
    mark,
    encodeURIComponent(person),
    token,
    client.clientSecret,
    new URL(hostedUrl).pathname.slice(-40),
  ];
  for (const secret of secrets) {
    expect(stdout).not.toContain(secret);
    expect(stderr).not.toContain(secret);
    expect(traces).not.toContain(secret);
    expect(answered.join("\n")).not.toContain(secret);
  }
});
