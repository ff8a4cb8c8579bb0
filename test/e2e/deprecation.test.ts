// Rpcs that callers should leave: every response of them says so, at every transport, and who calls them is counted.
// Nothing is deprecated today, so the test adds the option to the descriptor of an rpc.

import { clearExtension, create, type DescMethod, setExtension } from "@bufbuild/protobuf";
import type { ConnectError, Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, describe, expect, test } from "vitest";
import { DeprecationSchema, deprecation } from "../../src/gen/assessment/v1/options_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { addCaller } from "../support/app.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";

const { getSession } = SessionService.method;
deprecate(getSession);
const unknownId = "00000000-0000-7000-8000-000000000000";

const app = await appOfFile();
const gateway = await gatewayOfFile(app);
const gatewayUrl = gateway.httpUrl;
const { token: callerToken } = await addCaller(app);
const response = await fetch(`${app.httpUrl}/v1/values-bridge/sessions`, {
  method: "POST",
  headers: { authorization: `Bearer ${callerToken}`, "content-type": "application/json" },
  body: "{}",
});
expect([response.status, response.headers.get("deprecation")]).toEqual([201, null]);
const { sessionId } = (await response.json()) as { sessionId: string };

function deprecate({ proto: { options } }: DescMethod): void {
  if (options === undefined) throw new Error("an rpc without options");
  const stated = { since: "2026-11-22", sunset: "2027-11-22", instead: "Use ListSessions." };
  setExtension(options, deprecation, create(DeprecationSchema, stated));
  afterAll(() => clearExtension(options, deprecation));
}

const announcement = () => {
  const guide = `<${app.httpUrl}/docs/deprecation>`;
  return {
    deprecation: "@1795305600",
    sunset: "Mon, 22 Nov 2027 00:00:00 GMT",
    link: `${guide}; rel="deprecation"; type="text/html", ${guide}; rel="sunset"; type="text/html"`,
  };
};

type Told = Record<"deprecation" | "sunset" | "link", string | null>;
type Ask = (id: string, token: string) => Promise<Told>;

const toldBy = ({ headers }: Pick<Response, "headers">): Told => ({
  deprecation: headers.get("deprecation"),
  sunset: headers.get("sunset"),
  link: headers.get("link"),
});

const overRest = (url: string): Ask => {
  return async (id, token) =>
    toldBy(await fetch(`${url}/v1/values-bridge/sessions/${id}`, { headers: { authorization: `Bearer ${token}` } }));
};

/** A refusal over gRPC has its metadata behind its status, which is where its client has all of it. */
const overRpc = (wire: Transport): Ask => {
  return async (id, token) => {
    const metadata = { authorization: `Bearer ${token}` };
    const message = { product: "values-bridge", sessionId: id };
    const called = wire.unary(getSession, undefined, undefined, metadata, message);
    return toldBy({
      headers: await called.then(
        ({ header }) => header,
        (error: ConnectError) => error.metadata,
      ),
    });
  };
};

describe.each<[transport: string, ask: () => Ask]>([
  ["REST", () => overRest(app.httpUrl)],
  ["REST of a gateway of its own", () => overRest(gatewayUrl)],
  ["Connect", () => overRpc(createConnectTransport({ baseUrl: app.httpUrl, httpVersion: "1.1" }))],
  ["gRPC", () => overRpc(createGrpcTransport({ baseUrl: `http://${app.grpcAddress}` }))],
])("over %s", (_transport, ask) => {
  test("a response of a deprecated rpc says so, and so does a refusal of it", async () => {
    expect(await ask()(sessionId, callerToken)).toEqual(announcement());
    expect(await ask()(unknownId, callerToken)).toEqual(announcement());
    expect(await ask()(sessionId, "nonsense")).toEqual(announcement());
  });
});

test("calls of other rpcs have no deprecation header", async () => {
  const none = { deprecation: null, sunset: null, link: null };
  const sessions = `${app.httpUrl}/v1/values-bridge/sessions`;
  expect(toldBy(await fetch(sessions, { headers: { authorization: `Bearer ${callerToken}` } }))).toEqual(none);
  expect(toldBy(await fetch(`${app.httpUrl}/v1/values-bridge/assessment`))).toEqual(none);
});
