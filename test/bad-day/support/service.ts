// A service on a database that a bad day befalls, and a partner who goes on calling it.
import { onTestFinished } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { readConfig } from "../../../src/config.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { startApp } from "../../../src/process/app.ts";
import { createLogger } from "../../../src/telemetry/logs/logger.ts";
import { fetchToken } from "../../support/app.ts";
import { openPartners } from "../../support/databases/partners.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import type { Transport } from "../../support/transports/transports.ts";
import type { OperatedDatabase } from "./runbook.ts";

export interface TroubledService {
  readonly httpUrl: string;
  readonly transport: Transport;
  /** Whom calls are made as. */
  readonly as: { readonly token: string };
  readonly partnerId: string;
  /** Every line of the log so far. */
  readonly logLines: readonly string[];
}

/** Brings a database up to date, and serves on it until the test ends. */
export async function serveOn({ url }: OperatedDatabase): Promise<TroubledService> {
  await prepareDatabase({ say: () => undefined }, { url });
  const logLines: string[] = [];
  const log = createLogger("info", { write: (line) => logLines.push(line) });
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0" });
  const app = await startApp({ config, role: "all", database: { url }, log });
  onTestFinished(() => app.stop());
  const partners = openPartners({ url });
  const partnerId = await partners.addPartner();
  const token = await fetchToken(app.httpUrl, await partners.addClient(partnerId, partnerScopes));
  await partners.close();
  return { httpUrl: app.httpUrl, transport: restTransport(app.httpUrl), as: { token }, partnerId, logLines };
}
