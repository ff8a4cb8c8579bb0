import { expect, onTestFinished, test } from "vitest";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { AdmittedCall, CallHead, Core } from "../../../src/kernel/calls/core.ts";
import { CallerGone } from "../../../src/kernel/errors/refusal.ts";
import { ArrivingMessages } from "../../../src/limits/memory.ts";
import { bareGrpcPort } from "../../support/transports/bare-port.ts";
import { admittedCall } from "../../support/transports/core-call.ts";
import {
  answerToPing,
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  send,
} from "../../support/transports/wire/http2-frames.ts";
import { until } from "../../support/until.ts";

const { headers, reset } = frameTypes;
const path = `/${SessionService.typeName}/CreateSession`;

const never = () => new Promise<never>(() => undefined);

/** A transport whose calls the test admits. */
async function openTransport(admit: () => Promise<AdmittedCall> = never) {
  const bodies = new ArrivingMessages();
  const calls: CallHead[] = [];
  const core: Core = {
    async admit(_method, head) {
      calls.push(head);
      return (await admit()) as never;
    },
  };
  const { address } = await bareGrpcPort({ core, bodies, receiveTimeoutMs: 15_000 });
  const socket = await openHttp2(address);
  onTestFinished(() => void socket.destroy());
  const begin = async (more: readonly (readonly [string, string])[] = []) => {
    await send(socket, frame(headers, flags.endHeaders, 1, callHeaders(path, more)));
    await until(() => calls.length > 0);
    const [call] = calls;
    if (call === undefined) throw new Error("no call");
    return call;
  };
  return { bodies, socket, begin };
}

test("a caller that disconnects before its message is read ends its call", async () => {
  const admitting = Promise.withResolvers<AdmittedCall>();
  const ended: unknown[] = [];
  const { socket, begin, bodies } = await openTransport(() => admitting.promise);
  await begin();
  await send(socket, frame(reset, 0, 1, Buffer.of(0, 0, 0, 8)));
  await answerToPing(socket);
  const end = (error: unknown) => {
    ended.push(error);
    return error as Error;
  };
  admitting.resolve(admittedCall({ end }));
  await until(() => ended.length > 0);
  expect(ended).toEqual([expect.any(CallerGone)]);
  expect(bodies.memory.reservedBytes).toEqual({ authenticated: 0, unauthenticated: 0 });
});
