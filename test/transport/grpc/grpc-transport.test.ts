import * as grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { Connections, connectionBudgets } from "../../../src/kernel/calls/connections.ts";
import type { Core, IncomingCall } from "../../../src/kernel/calls/core.ts";
import { CallerGone } from "../../../src/kernel/errors/refusal.ts";
import { BodyBudget } from "../../../src/kernel/limits/budget.ts";
import { startGrpcServer } from "../../../src/transport/grpc/server.ts";
import { until } from "../../support/friend.ts";
import {
  answerToPing,
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  send,
} from "../../support/transports/wire/http2-frames.ts";

const { headers, reset } = frameTypes;
const path = `/${SessionService.typeName}/CreateSession`;
const readLimits = { maxBytes: 1 << 20, sender: { knownAs: undefined, address: "" } };

const never = () => new Promise<never>(() => undefined);

/** A transport whose calls are served by the test. */
async function openTransport(serve: (call: IncomingCall) => Promise<never> = never) {
  const budget = new BodyBudget();
  const calls: IncomingCall[] = [];
  const core: Core = {
    call(incoming) {
      const call = incoming as unknown as IncomingCall;
      calls.push(call);
      return serve(call);
    },
  };
  const server = await startGrpcServer({
    core,
    budget,
    addressOf: (peer) => peer,
    connections: new Connections(connectionBudgets(), () => false),
    services: [SessionService],
    host: "127.0.0.1",
    port: 0,
    credentials: grpc.ServerCredentials.createInsecure(),
    receiveTimeoutMs: 15_000,
  });
  const socket = await openHttp2(`127.0.0.1:${server.port}`);
  onTestFinished(async () => {
    socket.destroy();
    await server.stop(0);
  });
  const begin = async (more: readonly (readonly [string, string])[] = []) => {
    await send(socket, frame(headers, flags.endHeaders, 1, callHeaders(path, more)));
    await until(() => calls.length > 0);
    const [call] = calls;
    if (call === undefined) throw new Error("no call");
    return call;
  };
  return { budget, socket, begin };
}

test("a caller that disconnects before its message is read ends its call", async () => {
  const { socket, begin, budget } = await openTransport();
  const call = await begin();
  await send(socket, frame(reset, 0, 1, Buffer.of(0, 0, 0, 8)));
  await answerToPing(socket);
  await expect(call.read(readLimits)).rejects.toThrow(CallerGone);
  expect(budget.usedBytes).toEqual({ known: 0, stranger: 0 });
});
