// Whole assessments over every transport: each value of a dimension meets each value of every other one.
import { expect, test } from "vitest";
import type { Transport as CallTransport } from "../../src/kernel/telemetry.ts";
import { addTwinCaller } from "../support/app.ts";
import { inExtent } from "../support/extent.ts";
import { pairwise } from "../support/inputs/pairwise.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport, grpcWebTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { dimensions } from "./dimensions.ts";
import { answeredBy, walk } from "./walk.ts";

const app = await appOfFile();
const [gateway, { token }] = await Promise.all([gatewayOfFile(app), addTwinCaller(app, await app.addPartner())]);

/** A way to call the service: a transport, and where its people find the pages. */
interface Way {
  readonly open: () => Transport;
  /** The media type of its requests, where a path is for several of them. */
  readonly mediaType?: string;
  readonly viaGateway?: true;
}

/** By transport as the service counts them; people are those of hosted sessions. */
const waysOf: Readonly<Record<Exclude<CallTransport, "web" | "internal">, Readonly<Record<string, Way>>>> = {
  rest: {
    REST: { open: () => restTransport(app.httpUrl) },
    "REST through a gateway of its own": { open: () => restTransport(gateway.httpUrl), viaGateway: true },
  },
  grpc: { gRPC: { open: () => grpcTransport(app.grpcAddress) } },
  connect: {
    "Connect with JSON": { open: () => connectTransport(app.httpUrl, false), mediaType: "application/json" },
    "Connect with binary messages": {
      open: () => connectTransport(app.httpUrl, true),
      mediaType: "application/proto",
    },
    "gRPC-Web with JSON": {
      open: () => grpcWebTransport(app.httpUrl, false),
      mediaType: "application/grpc-web+json",
    },
    "gRPC-Web with binary messages": {
      open: () => grpcWebTransport(app.httpUrl, true),
      mediaType: "application/grpc-web+proto",
    },
  },
};
const ways: Readonly<Record<string, Way>> = Object.assign({}, ...Object.values(waysOf));

const values = { way: Object.keys(ways), answeredBy, ...dimensions };
const everyPair = pairwise(values);
// The first ones have the most pairs.
const journeys = inExtent(everyPair, everyPair.slice(0, everyPair.length / 3));

test.each(journeys)(
  "a $form $mode assessment over $way, in $language, answered by $answeredBy as $persona, is scored and reported as $format ($access $picture $paper)",
  async ({ way, ...journey }) => {
    const chosen = ways[way];
    if (chosen === undefined) throw new Error(`no way ${way}`);
    const transport = chosen.open();
    try {
      await walk(journey, transport, { token }, chosen.viaGateway ? gateway.httpUrl : app.httpUrl);
    } finally {
      transport.close();
    }
  },
);

test("every value of every dimension is walked, also in a short run", () => {
  for (const [name, all] of Object.entries(values)) {
    const walked = new Set(journeys.map((journey) => journey[name as keyof typeof values]));
    expect([name, walked]).toEqual([name, new Set(all)]);
  }
});

test("every form of message that the service accepts for an rpc is walked", async () => {
  const url = `${app.httpUrl}/assessment.v1.SessionService/CreateSession`;
  const { status, headers } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: "x",
  });
  const mediaTypes = (headers.get("accept-post") ?? "").split(", ");
  expect(status).toBe(415);
  expect(Object.values(waysOf.connect).map(({ mediaType }) => mediaType)).toEqual(expect.arrayContaining(mediaTypes));
});
