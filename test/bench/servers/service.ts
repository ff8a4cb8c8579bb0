// The service under test: `pas serve` in a process of its own, as it is run, but without limits for a single client.
import { fetchToken } from "../../support/databases/partners.ts";
import { startPas } from "../../support/processes/command.ts";
import { noLimits } from "../../support/processes/settings.ts";
import type { Target, TransportName } from "../load/orders.ts";
import type { BenchDatabase } from "./bench-database.ts";

export type Service = Awaited<ReturnType<typeof startService>>;

export const serviceEnvironment = {
  ...noLimits,
  MAX_CONCURRENT_CALLS: "128",
  MAX_CONCURRENT_CALLS_PER_CLIENT: "128",
} as const;

/**
 * Starts the service on the database.
 * @param nodeOptions for its process, such as those that profile it
 * @param environment variables that differ from those of every service here
 * @param checkout folder of another commit whose service it is; this one if not given
 */
export async function startService(
  database: BenchDatabase,
  nodeOptions: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  checkout?: string,
) {
  const variables = {
    ...serviceEnvironment,
    ...environment,
    DATABASE_URL: database.url,
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    NODE_OPTIONS: nodeOptions.join(" "),
  };
  const running = startPas(["serve"], variables, { checkout });
  const [, http, grpc] = await running.wrote(/"http":"http:\/\/127\.0\.0\.1:(\d+)","grpcPort":(\d+)/);
  const token = await fetchToken(`http://127.0.0.1:${http}`, database.credentials);
  return {
    pid: running.pid,
    /** Where the load finds a transport of it. */
    target: (transport: TransportName): Target => ({
      transport,
      port: Number(transport === "grpc" ? grpc : http),
      token,
      sample: database.sample,
    }),
    async stop() {
      running.kill("SIGTERM");
      const code = await running.ended;
      if (code !== 0) throw new Error(`the service ended with ${code}: ${running.output().stderr}`);
    },
  };
}
