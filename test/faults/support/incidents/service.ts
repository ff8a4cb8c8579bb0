// Services that an incident befalls: on a database that breaks, or set up as in production, with an operator beside it.
import { onTestFinished } from "vitest";
import { prepareDatabase } from "../../../../src/cli/migrate.ts";
import { readConfig } from "../../../../src/config.ts";
import { partnerScopes } from "../../../../src/domain/identity/scopes.ts";
import { startApp } from "../../../../src/process/app.ts";
import { createLogger } from "../../../../src/telemetry/logger.ts";
import { startWithPeople } from "../../../services/service-with-people.ts";
import { fetchToken, startTestApp } from "../../../support/app.ts";
import { openPartners } from "../../../support/databases/partners.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import type { Transport } from "../../../support/transports/transports.ts";
import { type OperatedDatabase, operated, startOperator } from "./runbook.ts";

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

const key = Buffer.alloc(32, 1).toString("base64");
const production = {
  ...{ METRICS_TOKEN: "of-the-scraper", WEBHOOK_KEY: key, AUDIT_KEY: key },
  ...{ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", PUBLIC_URL: "https://assessments.example" },
};

export async function openDay(environment: Record<string, string> = {}) {
  const settings = { ...production, ...environment };
  const app = await startTestApp(settings);
  onTestFinished(() => app.stop());
  const operator = await startOperator(operated(app.database), { ...settings, SERVICE_URL: app.httpUrl });
  return { app, transport: restTransport(app.httpUrl), operator };
}

/** One with a partner who sends people to the hosted pages. */
export async function openHostedDay() {
  const { stop, ...people } = await startWithPeople();
  onTestFinished(stop);
  return { ...people, operator: await startOperator(operated(people.app.database), production) };
}
