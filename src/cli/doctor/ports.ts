// Whether the ports are free, or in use by the service itself.
import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../../config.ts";
import { urlAt } from "../../transport/http/server.ts";
import { type Finding, fail, ok } from "./finding.ts";

const askTimeoutMs = 3_000;

/** Checks both ports. A port in use is fine if the service uses it. */
export async function checkPorts({ HOST: host, HTTP_PORT: httpPort, GRPC_PORT: grpcPort }: Config): Promise<Finding[]> {
  const [http, grpc] = [await whyNot(host, httpPort), await whyNot(host, grpcPort)];
  const service = http === "EADDRINUSE" ? await askService(host, httpPort) : undefined;
  return [
    service ?? portFinding("HTTP port", host, httpPort, http),
    service !== undefined && grpc === "EADDRINUSE"
      ? ok("gRPC port", `${host}:${grpcPort} is taken, as it is while the service runs`)
      : portFinding("gRPC port", host, grpcPort, grpc),
  ];
}

/** The error code of listening; undefined if it works. */
async function whyNot(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  } finally {
    server.close();
  }
}

function portFinding(about: string, host: string, port: number, code: string | undefined): Finding {
  switch (code) {
    case undefined:
      return ok(about, port === 0 ? "any free one is taken" : `${host}:${port} is free`);
    case "EADDRINUSE":
      return fail(about, `${host}:${port} is taken by another program; stop it, or set another port`);
    case "EACCES":
      return fail(about, `${host}:${port} may not be listened on by this user; ports below 1024 need a privilege`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return fail(about, `${host} is no address of this machine; correct HOST`);
    default:
      return fail(about, `${host}:${port} cannot be listened on (${code})`);
  }
}

/** The state of the service at its port; undefined if another program is there. */
async function askService(host: string, port: number): Promise<Finding | undefined> {
  const about = "HTTP port";
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${urlAt(host, port)}/readyz`, { signal: AbortSignal.timeout(askTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return ok(about, `the service runs at ${place}, and is ready`);
    if (typeof detail === "string") return fail(about, `the service runs at ${place}, and is not ready: ${detail}`);
  } catch {
    // It is another program.
  }
  return undefined;
}
