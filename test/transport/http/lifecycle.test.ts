// The end of the service on the HTTP port: what it has begun, and what comes after.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { bodyOf } from "../../e2e/cases/case.ts";
import { addCaller } from "../../support/app.ts";
import { lockRows, untilRunning } from "../../support/databases/locks.ts";
import { appOfTest } from "../../support/of-test.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";

test("a stopping service finishes the requests under way and refuses later ones", async () => {
  const service = await appOfTest();
  const { token } = await addCaller(service);
  const base = "/v1/values-bridge/sessions";
  const { sessionId } = bodyOf(await restTransport(service.httpUrl).createSession({ token }));
  const lock = "SELECT id FROM sessions WHERE id = ? FOR UPDATE";
  const release = await lockRows(service.database, lock, [uuidToBytes(sessionId)]);

  const { hostname, port } = new URL(service.httpUrl);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const body = JSON.stringify({ answers: [{ questionId: 1001, response: { type: "likert", value: 4 } }] });
  const head = `POST ${base}/${sessionId}/answers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await untilRunning(service.database, "UPDATE sessions");
  const stopped = service.stopService();
  socket.write(`GET ${base}/${sessionId} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await release();
  await stopped;
  await new Promise((resolve) => (socket.closed ? resolve(undefined) : socket.on("close", resolve)));
  expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(received).toContain('"recorded":1');
  const refusal = received.slice(received.indexOf('"recorded":1'));
  expect(refusal).toContain("HTTP/1.1 503");
  expect(refusal).toMatch(/retry-after: 1/i);
  expect(refusal).toMatch(/connection: close/i);
  expect(refusal).toContain('"code":"unavailable"');
  await expect(fetch(service.httpUrl)).rejects.toThrow();
});
