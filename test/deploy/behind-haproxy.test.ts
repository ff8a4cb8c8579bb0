// Behind HAProxy, as deploy/ configures it, callers are told apart by their own addresses, over REST and gRPC.
import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { appOfFile } from "../support/of-file.ts";
import { startHaproxy } from "./support/haproxy.ts";

const refusalsAllowed = 3;
// Callers of this test have other addresses of this machine.
const app = await appOfFile({
  TRUSTED_PROXIES: "127.0.0.1/32",
  ADDRESS_RATE_LIMIT_PER_MINUTE: String(refusalsAllowed),
});
const own = { http: Number(new URL(app.httpUrl).port), grpc: Number(app.grpcAddress.split(":")[1]) };
const ports = await startHaproxy(own, own);

type Call = (from: string, headers?: Record<string, string>) => Promise<number>;

/** The status of a call over REST with a token that is no good. */
const overRest: Call = (from, headers = {}) =>
  new Promise((done, fail) => {
    const options = { host: "127.0.0.1", port: ports.http, path: "/v1/values-bridge/assessment", localAddress: from };
    request({ ...options, headers: { ...headers, authorization: "Bearer nonsense" } }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .on("error", fail)
      .end();
  });

/** The status of gRPC. */
const overGrpc: Call = (from, headers = {}) =>
  new Promise((done, fail) => {
    const createConnection = () => connect({ host: "127.0.0.1", port: ports.grpc, localAddress: from });
    const session = connectHttp2(`http://127.0.0.1:${ports.grpc}`, { createConnection });
    const stream = session.request({
      ...{ ":method": "POST", ":path": "/assessment.v1.AssessmentService/GetPublishedAssessment" },
      ...{ "content-type": "application/grpc", te: "trailers", authorization: "Bearer nonsense", ...headers },
    });
    const read = (fields: Record<string, unknown>) => {
      if (fields["grpc-status"] === undefined) return;
      done(Number(fields["grpc-status"]));
      session.close();
    };
    stream.on("response", read).on("trailers", read).on("error", fail).resume();
    // An empty message.
    stream.end(Buffer.alloc(5));
    session.on("error", fail);
  });

test.each([
  ["REST", overRest, 401, 429, ["127.0.0.2", "127.0.0.3"]],
  ["gRPC", overGrpc, 16, 8, ["127.0.0.4", "127.0.0.5"]],
] as const)(
  "over %s one caller behind the proxy is limited, whatever it says of its address, and its neighbour is not",
  async (_name, call, unauthenticated, limited, [caller, neighbour]) => {
    for (let count = 0; count < refusalsAllowed; count++) expect(await call(caller)).toBe(unauthenticated);
    expect(await call(caller)).toBe(limited);
    for (const address of ["203.0.113.7", "127.0.0.1", "unknown"]) {
      expect(await call(caller, { "x-forwarded-for": address })).toBe(limited);
    }
    expect(await call(neighbour)).toBe(unauthenticated);
  },
);
