// HAProxy as deploy/ configures it, in front of two processes of the service, until the tests of the file are over.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll } from "vitest";
import { freePort } from "../../support/processes/free-port.ts";
import { isServed } from "../../support/processes/loopback.ts";
import { provide } from "../../support/run/programs.ts";
import { until } from "../../support/until.ts";

export interface Ports {
  readonly http: number;
  readonly grpc: number;
}

/** The variables of deploy/haproxy.cfg. */
export function haproxyEnvironment(bind: Ports, a: Ports, b: Ports): Record<string, string> {
  return {
    ...{ HTTP_BIND: `127.0.0.1:${bind.http}`, GRPC_BIND: `127.0.0.1:${bind.grpc}` },
    ...{ PAS_A: "127.0.0.1", PAS_A_HTTP_PORT: String(a.http), PAS_A_GRPC_PORT: String(a.grpc) },
    ...{ PAS_B: "127.0.0.1", PAS_B_HTTP_PORT: String(b.http), PAS_B_GRPC_PORT: String(b.grpc) },
  };
}

/** Starts it. @returns its ports, on loopback, once it serves */
export async function startHaproxy(a: Ports, b: Ports): Promise<Ports> {
  const ports = { http: await freePort(), grpc: await freePort() };
  const options = { stdio: "ignore", env: haproxyEnvironment(ports, a, b) } as const;
  const proxy = spawn(await provide("haproxy"), ["-db", "-f", "deploy/haproxy.cfg"], options);
  afterAll(() => void proxy.kill("SIGKILL"));
  const fault = once(proxy, "exit").then(([code]) => Promise.reject(new Error(`HAProxy ended with ${code}`)));
  await Promise.race([until(() => isServed(`http://127.0.0.1:${ports.http}/openapi.json`)), fault]);
  fault.catch(() => undefined);
  return ports;
}
