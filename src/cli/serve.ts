// pas serve: the service itself, until a signal stops it.
import cluster from "node:cluster";
import { startApp } from "../app.ts";
import type { Config } from "../config.ts";
import { startDeliverApp } from "../deliver-app.ts";
import { startGatewayApp } from "../gateway-app.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import { printBanner } from "./banner.ts";
import { type Command, type CommandContext, readArguments, required, UsageError } from "./command.ts";
import { provideDatabase } from "./database.ts";
import { provideDemoClient } from "./demo-client.ts";
import { watchEmbedded } from "./embedded-watch.ts";
import { prepareDatabase } from "./migrate.ts";
import { stopSignal } from "./stop-signal.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";
import { runWorkers } from "./workers.ts";

const roles = ["all", "core", "gateway", "deliver"] as const;

interface ServeOptions {
  readonly role: (typeof roles)[number];
  readonly core: string | undefined;
  readonly workers: number;
}

export const serveCommand: Command = {
  usage: "[--role all|core|gateway|deliver] [--core URL] [--workers N]",
  about: "run the service",
  async run(context) {
    const options = readOptions(context.args);
    const log = createLogger(context.config.LOG_LEVEL);
    if (options.role === "gateway") return serveGateway(context.config, options, log);
    const isWorker = cluster.isWorker;
    const database = await provideDatabase(context);
    const ownsEmbedded = database.isEmbedded && !isWorker;
    const watch = ownsEmbedded ? watchEmbedded(context.config.DATA_DIR, log) : undefined;
    try {
      // A data folder is one installation's own.
      if (ownsEmbedded) await prepareDatabase(context, database.address, true);
      if (options.workers > 1 && cluster.isPrimary) {
        if (ownsEmbedded) await provideDemoClient(context);
        return await runWorkers(options.workers, log);
      }
      const webhookKeys = await provideWebhookKeys(context.config, database.isEmbedded);
      const settings = { config: context.config, database: database.address, webhookKeys, log };
      const { role } = options;
      const core = role === "deliver" ? undefined : await startApp({ ...settings, role });
      const app = core ?? (await startDeliverApp(settings));
      log.info({ http: app.httpUrl, ...(core === undefined ? {} : { grpcPort: core.grpcPort }), role }, "serving");
      if (ownsEmbedded && core !== undefined) printBanner(context, core, await provideDemoClient(context));
      await stopSignal();
      log.info("stopping");
      await app.stop();
      // As long as there is a channel to the primary, a worker does not end by itself.
      cluster.worker?.disconnect();
    } finally {
      await watch?.stop();
      await database.release();
    }
  },
};

async function serveGateway(config: Config, { core }: ServeOptions, log: Logger): Promise<void> {
  const { GATEWAY_CLIENT_ID: clientId, GATEWAY_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) {
    throw new UsageError("--role gateway needs GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET");
  }
  const url = URL.parse(required(core, "core"));
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new UsageError("--core must be a URL such as http://core:50051, or https://core:50051 with TLS");
  }
  const app = await startGatewayApp({ config, core: { url: url.href, clientId, clientSecret }, log });
  log.info({ http: app.httpUrl, role: "gateway" }, "serving");
  await stopSignal();
  log.info("stopping");
  await app.stop();
}

function readOptions(args: CommandContext["args"]): ServeOptions {
  const { options } = readArguments(args, { role: "string", core: "string", workers: "string" });
  const role = roles.find((each) => each === (options.role ?? "all"));
  if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(", ")}`);
  const workers = Number(options.workers ?? 1);
  if (!Number.isInteger(workers) || workers < 1 || workers > 128) throw new UsageError("--workers must be 1 to 128");
  return { role, core: options.core, workers };
}
