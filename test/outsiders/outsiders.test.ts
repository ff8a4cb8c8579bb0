// The service as programs see it that nobody here wrote. Tests of a program that cannot be had are not there; run.ts
// says so.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { createTestTwin } from "../../src/services/identity/partners.ts";
import { openPartners } from "../support/databases/partners.ts";
import { deadline } from "../support/deadline.ts";
import { folderOfTest } from "../support/folders.ts";
import { servedOfFile } from "../support/of-file.ts";
import { extent, pathOf } from "./support/means.ts";
import { run, runIn } from "./support/run.ts";

const isFull = extent() === "full";
const createSession = "assessment.v1.SessionService/CreateSession";
const subject = '{"product": "values-bridge", "subject": {"externalId": "judge"}}';

// The collection has a receiver of webhooks on this machine.
const service = await servedOfFile({
  WEBHOOK_KEY: Buffer.alloc(32, 1).toString("base64"),
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
});

const authorization = () => `authorization: Bearer ${service.token}`;

const address = (rpc: string) => `http://${service.grpcAddress}/${rpc}`;
const grpc = ["--protocol", "grpc", "--http2-prior-knowledge"];

test.each([
  ["gRPC", () => [...grpc, address(createSession)]],
  ["Connect", () => ["--protocol", "connect", "--schema", ".", `${service.httpUrl}/${createSession}`]],
  ["gRPC-Web", () => ["--protocol", "grpcweb", "--schema", ".", `${service.httpUrl}/${createSession}`]],
])("buf curl creates a session over %s", async (_name, args) => {
  const answer = JSON.parse(await run("buf", ["curl", "--header", authorization(), "--data", subject, ...args()]));
  expect(answer.headless.assessment.questions).toHaveLength(152);
});

const grpcurl = pathOf("grpcurl");
if (grpcurl !== undefined) {
  describe("grpcurl", () => {
    const call = (...args: string[]) => run(grpcurl, ["-plaintext", ...args]);

    test("grpcurl describes every service and message by reflection", async () => {
      const services = (await call(service.grpcAddress, "list")).trim().split("\n");
      expect(services).toContain("assessment.v1.SessionService");
      for (const name of services) expect(await call(service.grpcAddress, "describe", name)).toContain("is a service:");
    });

    test("grpcurl creates a session, and prints what is wrong with a call", async () => {
      const created = await call("-H", authorization(), "-d", subject, service.grpcAddress, createSession);
      expect(JSON.parse(created).headless.assessment.questions).toHaveLength(152);
      const refusal = call("-d", subject, service.grpcAddress, createSession);
      await expect(refusal).rejects.toThrow(/Code: Unauthenticated\n\s*Message: No access token was sent/);
    });
  });
}

/** What h2spec finds wrong of every server of Node, seen on one of a few lines. */
const faultsOfNode = [
  "Sends a PING frame with ACK",
  "Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1",
  "Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1 on a stream",
];
/** What it can see only of servers that answer its requests with a body. They are no calls, and are refused without. */
const unseen = [
  "Sends a WINDOW_UPDATE frame on half-closed (remote) stream",
  "Sends a PRIORITY frame on half-closed (remote) stream",
  // These sometimes: all whose second frame comes for a call that may have been refused, and so ended, before.
  "Sends a second HEADERS frame without the END_STREAM flag",
  'Sends a HEADERS frame with the "content-length" header field which does not equal the DATA frame payload length',
  'Sends a HEADERS frame with the "content-length" header field which does not equal the sum of the multiple DATA frames payload length',
  "Sends a HEADERS frame that contains a pseudo-header field as trailers",
  "Sends a WINDOW_UPDATE frame with a flow control window increment of 0 on a stream",
];

const h2spec = pathOf("h2spec");
if (h2spec !== undefined) {
  test("h2spec finds no fault in the gRPC port that Node does not have", async () => {
    const [host = "", port = ""] = service.grpcAddress.split(":");
    const sections = ["generic", "http2", "hpack"];
    const judged = run(h2spec, [...sections, "--host", host, "--port", port, "--timeout", "20"]);
    const verdict = await judged.catch(({ message }: Error) => message);
    expect(verdict).toMatch(/^\d+ tests, \d+ passed, \d+ skipped, \d+ failed$/m);
    const [, failures = ""] = verdict.split("\nFailures: ");
    const failureTitles = [...failures.matchAll(/× \d+: (.*)/g)].map(([, title]) => title);
    expect([...faultsOfNode, ...unseen]).toEqual(expect.arrayContaining(failureTitles));
  });
}

const schemathesis = pathOf("schemathesis");
if (schemathesis !== undefined) {
  test("schemathesis finds no response that the OpenAPI document does not describe, and no defect", async () => {
    const phases = isFull ? "examples,coverage,fuzzing,stateful" : "examples,coverage,fuzzing";
    // It keeps what it finds in the folder that it is started in.
    const verdict = await runIn(tmpdir(), schemathesis, [
      ...["--config-file", resolve("test/outsiders/schemathesis.toml"), "run", `${service.httpUrl}/openapi.json`],
      ...["--header", `Authorization: Bearer ${service.token}`, "--phases", phases, "--seed", "1"],
      ...["--max-examples", isFull ? "200" : "5", "--generation-database", "none", "--no-color", "--warnings", "off"],
    ]);
    expect(verdict).toMatch(/No issues found/);
  });
}

const newman = pathOf("newman");
if (newman !== undefined) {
  test("Newman runs the request collection from top to bottom, and each request gets what it asserts", async () => {
    const partners = openPartners(service.database.address);
    onTestFinished(() => partners.close());
    // Requests of the sandbox are for test credentials only.
    const twinId = await createTestTwin(partners.dependencies, await partners.addPartner(), deadline);
    const { clientId, clientSecret } = await partners.addClient(twinId, partnerScopes);
    const variables = Object.entries({ url: service.httpUrl, clientId, clientSecret });
    const folder = folderOfTest();
    await run("node", ["tools/examples/write.ts", folder]);
    const values = variables.flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
    const report = join(folder, "report.json");
    const options = ["--bail", "--reporters", "json", "--reporter-json-export", report, ...values];
    await runIn(folder, newman, ["run", "postman.json", ...options]);
    const { stats } = JSON.parse(await readFile(report, "utf8")).run;
    expect(stats.assertions).toEqual({ total: stats.requests.total, pending: 0, failed: 0 });
    expect(stats.requests.total).toBeGreaterThan(50);
  });
}
