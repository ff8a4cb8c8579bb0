// Pages of other origins in a real browser: those of a named origin call Connect, gRPC-Web and REST; others are kept out.
import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { appOfFile } from "../support/of-file.ts";
import { listenOnLoopback } from "../support/processes/loopback.ts";

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const partner = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>A partner's page</title>");
});
const port = await listenOnLoopback(partner);
afterAll(() => partner.close());
const app = await appOfFile({ CORS_ORIGINS: `http://127.0.0.1:${port}` });
const { token } = await addCaller(app);
const page = await (await browserOfFile()).newPage();

/** What a script of the page at this host reads of the response. */
async function askedFrom(host: string, { path, ...request }: Sent): Promise<unknown> {
  await page.goto(`http://${host}:${port}/`);
  const url = app.httpUrl + path;
  const script = async (to: string, init: RequestInit) => {
    try {
      const response = await fetch(to, init);
      return [response.status, response.headers.get("x-request-id") === null ? "hidden" : "told"];
    } catch {
      return "kept out";
    }
  };
  return page.evaluate(`(${script})(${JSON.stringify(url)}, ${JSON.stringify(request)})`);
}

const rpc = (name: string) => `/assessment.v1.${name}`;
const json = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });

test.each<[name: string, sent: () => Sent]>([
  [
    "Connect",
    () => ({
      path: rpc("SessionService/CreateSession"),
      method: "POST",
      headers: { ...json(), "connect-protocol-version": "1", "connect-timeout-ms": "5000" },
      body: '{"product": "values-bridge"}',
    }),
  ],
  [
    "gRPC-Web",
    () => ({
      path: rpc("TokenService/GetPublicKeys"),
      method: "POST",
      headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1", "x-user-agent": "test" },
      body: "\0\0\0\0\0",
    }),
  ],
  [
    "REST",
    () => ({
      path: "/v1/values-bridge/sessions",
      method: "POST",
      headers: { ...json(), "idempotency-key": crypto.randomUUID() },
      body: "{}",
    }),
  ],
])("over %s a page of the named origin reads the response, and no other page does", async (_name, sent) => {
  expect(await askedFrom("127.0.0.1", sent())).toEqual([
    expect.toSatisfy((status) => [200, 201].includes(status)),
    "told",
  ]);
  expect(await askedFrom("localhost", sent())).toBe("kept out");
});
