// Whether the ports are free, or in use by the service itself.
import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../../config.ts";
import { urlAt } from "../../transport/http/server.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const askTimeoutMs = 3_000;

/** Checks all ports. A port in use is fine if the service uses it. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const { HOST: host, HTTP_PORT: httpPort, GRPC_PORT: grpcPort } = config;
  const [http, grpc] = [await whyNot(host, httpPort), await whyNot(host, grpcPort)];
  const isServed = http === "EADDRINUSE";
  return [
    isServed ? await askService(host, httpPort) : portFinding("HTTP port", host, httpPort, http),
    isServed && grpc === "EADDRINUSE"
      ? ok("gRPC port", `${host}:${grpcPort} is taken, as it is while the service runs`)
      : portFinding("gRPC port", host, grpcPort, grpc),
    await checkMetricsPort(config),
  ];
}

/** A single process does not need this port, so a problem with it is a warning. */
async function checkMetricsPort({ HOST: host, HTTP_PORT, GRPC_PORT, METRICS_PORT: port }: Config): Promise<Finding> {
  const about = "metrics port";
  const forWhat = "`pas serve --workers` needs it for /metrics";
  if (port !== 0 && (port === HTTP_PORT || port === GRPC_PORT)) {
    return warn(about, `METRICS_PORT is another port's number; ${forWhat}, so set another one`);
  }
  const code = await whyNot(host, port);
  if (code === "EADDRINUSE" && (await isMetricsOfService(host, port))) {
    return ok(about, `the service's workers tell their metrics at ${host}:${port}`);
  }
  if (code !== undefined) return warn(about, `${reasonOf(code, host, port)}; ${forWhat}`);
  return portFinding(about, host, port, code);
}

/** With a token set, the service refuses with its own message. */
async function isMetricsOfService(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${urlAt(host, port)}/metrics`, { signal: AbortSignal.timeout(askTimeoutMs) });
    const text = await response.text();
    return text.includes("pas_build_info") || response.headers.get("content-type") === "application/problem+json";
  } catch {
    return false;
  }
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
  if (code !== undefined) return fail(about, reasonOf(code, host, port));
  return ok(about, port === 0 ? "any free one is taken" : `${host}:${port} is free`);
}

function reasonOf(code: string, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `${host}:${port} is taken by another program; stop it, or set another port`;
    case "EACCES":
      return `${host}:${port} may not be listened on by this user; ports below 1024 need a privilege`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine; correct HOST`;
    default:
      return `${host}:${port} cannot be listened on (${code})`;
  }
}

async function askService(host: string, port: number): Promise<Finding> {
  const about = "HTTP port";
  const place = `${host}:${port}`;
  try {
    const response = await fetch(`${urlAt(host, port)}/readyz`, { signal: AbortSignal.timeout(askTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return ok(about, `the service runs at ${place}, and is ready`);
    if (typeof detail === "string") {
      return fail(about, `the service runs at ${place}, and is not ready: ${detail}`);
    }
  } catch {
    // It is not the service.
  }
  return fail(about, reasonOf("EADDRINUSE", host, port));
}
