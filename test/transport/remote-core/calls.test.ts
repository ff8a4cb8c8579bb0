// How a gateway calls its core: once more where a stream was refused.
import { once } from "node:events";
import { constants, createServer, type ServerHttp2Stream } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from "../../../src/gen/health/v1/health_pb.ts";
import { retryRefusedStreams } from "../../../src/transport/remote-core/remote-core.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";

const { SERVING } = HealthCheckResponse_ServingStatus;
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR } = constants;

/** A core that closes its first streams with a code, and serves those after. */
async function coreThatCloses(count: number, code: number) {
  let streams = 0;
  const server = createServer();
  server.on("stream", (stream) => {
    streams += 1;
    stream.on("error", () => undefined).resume();
    if (streams <= count) stream.close(code);
    else answerServing(stream);
  });
  const baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const transport = createGrpcTransport({ baseUrl, interceptors: [retryRefusedStreams], idleConnectionTimeoutMs: 100 });
  onTestFinished(async () => {
    server.close();
    await once(server, "close");
  });
  return { check: () => createClient(Health, transport).check({}), streams: () => streams };
}

function answerServing(stream: ServerHttp2Stream): void {
  const bytes = toBinary(HealthCheckResponseSchema, create(HealthCheckResponseSchema, { status: SERVING }));
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(Buffer.concat([Buffer.of(0, 0, 0, 0, bytes.length), bytes]));
}

test("a call that was refused twice is made a third time", async () => {
  const { check, streams } = await coreThatCloses(2, NGHTTP2_REFUSED_STREAM);
  expect((await check()).status).toBe(SERVING);
  expect(streams()).toBe(3);
});

test("a call that is refused again and again fails", async () => {
  const { check, streams } = await coreThatCloses(100, NGHTTP2_REFUSED_STREAM);
  await expect(check()).rejects.toThrow();
  expect(streams()).toBe(3);
});

test("a call that may have been begun is not made again", async () => {
  const { check, streams } = await coreThatCloses(1, NGHTTP2_INTERNAL_ERROR);
  await expect(check()).rejects.toThrow();
  expect(streams()).toBe(1);
});
