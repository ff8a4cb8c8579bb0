// Strangers who watch the health of a core keep no gateway from finding that it is ready.
import { expect, onTestFinished, test } from "vitest";
import { appOfTest, gatewayOfTest } from "../../support/of-test.ts";
import {
  answerToPing,
  callHeaders,
  flags,
  frame,
  frameTypes,
  openHttp2,
  send,
} from "../../support/transports/wire/http2-frames.ts";

const watch = callHeaders("/grpc.health.v1.Health/Watch");
const emptyMessage = Buffer.alloc(5);

test("a separate gateway is ready while strangers have opened 1,100 watches of its core's health", async () => {
  const app = await appOfTest();
  for (let connection = 0; connection < 5; connection += 1) {
    const socket = await openHttp2(app.grpcAddress);
    onTestFinished(() => void socket.destroy());
    for (let stream = 1; stream < 2 * 220; stream += 2) {
      const begun = frame(frameTypes.headers, flags.endHeaders, stream, watch);
      await send(socket, Buffer.concat([begun, frame(frameTypes.data, flags.endStream, stream, emptyMessage)]));
    }
    await answerToPing(socket);
  }
  const gateway = await gatewayOfTest(app);
  expect((await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(200);
});
