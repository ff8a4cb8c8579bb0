// Whether the ports can be listened on, or are held by the service itself.
import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../../config.ts";
import type { Finding } from "./finding.ts";

const askTimeoutMs = 3_000;

/** Looks at both ports. One that is taken is fine if the service has it. */
export async function checkPorts({ HOST: host, HTTP_PORT: httpPort, GRPC_PORT: grpcPort }: Config): Promise<Finding[]> {
  const [http, grpc] = [await whyNot(host, httpPort), await whyNot(host, grpcPort)];
  const isServed = http === "EADDRINUSE";
  return [
    isServed ? await askService(host, httpPort) : portFinding("HTTP port", host, httpPort, http),
    isServed && grpc === "EADDRINUSE"
      ? { state: "ok", about: "gRPC port", words: `${host}:${grpcPort} is taken, as it is while the service runs` }
      : portFinding("gRPC port", host, grpcPort, grpc),
  ];
}

/** The code of the error that listening ends with; undefined if it works. */
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
  if (code !== undefined) return { state: "fail", about, words: reasonOf(code, host, port) };
  return { state: "ok", about, words: port === 0 ? "any free one is taken" : `${host}:${port} is free` };
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
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(askTimeoutMs) });
    const { status, detail } = (await response.json()) as { status?: unknown; detail?: unknown };
    if (status === "ready") return { state: "ok", about, words: `the service runs at ${place}, and is ready` };
    if (typeof detail === "string") {
      return { state: "fail", about, words: `the service runs at ${place}, and is not ready: ${detail}` };
    }
  } catch {
    // It is not the service.
  }
  return { state: "fail", about, words: reasonOf("EADDRINUSE", host, port) };
}
