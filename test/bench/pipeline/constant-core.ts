// The pipeline with all that the service puts into it, over constant stores.

import { randomBytes } from "node:crypto";
import { readConfig } from "../../../src/config.ts";
import { newSecret } from "../../../src/domain/identity/secrets.ts";
import type { Core } from "../../../src/kernel/calls/core.ts";
import { createAdmission } from "../../../src/pipeline/limits/admission.ts";
import { createCore } from "../../../src/process/core.ts";
import { createWebhookWiring } from "../../../src/process/webhooks.ts";
import { createReportRenderer } from "../../../src/products/values-bridge/report-rendering/renderer.ts";
import { EventWatch } from "../../../src/services/events/event-watch.ts";
import { createLogger } from "../../../src/telemetry/logs/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics/metrics.ts";
import { createObservers } from "../../../src/telemetry/observers.ts";
import { testDomain } from "../../support/domain.ts";
import { serviceEnvironment } from "../servers/service.ts";
import { constantStores } from "./constant-stores.ts";

/** Address of the HTTP port in links; nothing listens there. */
export const publicUrl = () => "http://127.0.0.1:8080";

/** The core that every transport calls, and a token that it takes. */
export function createConstantCore(hasQuestions: boolean): { core: Core; token: string } {
  const config = readConfig(serviceEnvironment);
  const log = createLogger(config.LOG_LEVEL);
  const stores = constantStores(hasQuestions);
  const core = createCore({
    domain: testDomain(stores, { reportDefect: (error) => log.error({ err: error }, "defect") }),
    watch: new EventWatch(() => [{ name: "", events: stores.events }]),
    webhooks: createWebhookWiring({ keys: [], allowedNetworks: [] }),
    admission: createAdmission(config, () => performance.now()),
    config,
    publicUrl,
    observer: createObservers(
      log,
      createMetrics(() => ({})),
    ).call,
    renderer: createReportRenderer(),
  });
  return { core, token: newSecret("accessToken", randomBytes) };
}
