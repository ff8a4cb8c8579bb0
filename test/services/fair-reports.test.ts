// Reports of two partners at once, and of a person who reads their own: all are made.
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { ReportFormat, ReportPaper, ReportService } from "../../src/gen/assessment/v1/report_service_pb.ts";
import { createAdmission } from "../../src/pipeline/limits/slots.ts";
import { createCore } from "../../src/process/core.ts";
import { createWebhookWiring } from "../../src/process/webhook-wiring.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createStores } from "../../src/store/stores.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { testDependencies } from "../support/dependencies.ts";
import { appOfTest } from "../support/of-test.ts";
import { callCore } from "../support/transports/core-call.ts";

const { renderReport, createReportLink, exchangeReportLink, renderOwnReport } = ReportService.method;
const product = "values-bridge";

test("one client asks for thirty reports and another for ten, and all are made, whatever entity tags are named", async () => {
  const app = await appOfTest();
  const db = poolOfTest({ address: app.database.address, poolSize: 4 });
  const stores = createStores(db);
  const gate = Promise.withResolvers<void>();
  const made: (string | null)[] = [];
  const renderer = createReportRenderer({
    async render({ model }) {
      await gate.promise;
      made.push("sessionId" in model ? model.sessionId : null);
      return new Uint8Array(1);
    },
    close: async () => undefined,
  });
  // Places for every call, however slowly they are served: what this is about are places for reports.
  const config = readConfig({ MAX_CONCURRENT_CALLS: "200", MAX_CONCURRENT_CALLS_PER_CLIENT: "100" });
  const core = createCore({
    dependencies: testDependencies(stores),
    webhooks: createWebhookWiring([], config),
    admission: createAdmission(config),
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    renderer,
  });
  const [flooder, other] = [await addHostedPartner(app), await addHostedPartner(app)];
  const sessionsOf = async (partner: typeof flooder, count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await partner.createScored());
    return ids;
  };
  /** Every variant is another rendering. */
  const ask = (token: string, sessionId: string, locale: string, knownEntityTags: string[] = []) => {
    const message = { product, session: { case: "sessionId" as const, value: sessionId }, locale, knownEntityTags };
    const header = { authorization: `Bearer ${token}` };
    return callCore(core, renderReport, { ...message, format: ReportFormat.PDF }, { header });
  };
  const locales = ["en", "de"];
  const [floods, tens] = [await sessionsOf(flooder, 15), await sessionsOf(other, 5)];
  const many = Promise.allSettled(
    floods.flatMap((id) => locales.map((locale) => ask(flooder.token, id, locale, ['"another"']))),
  );
  const ten = tens.flatMap((id) => locales.map((locale) => ask(other.token, id, locale)));
  gate.resolve();
  expect((await Promise.all(ten)).map(({ body }) => body.byteLength)).toEqual(Array(10).fill(1));
  expect((await many).map(({ status }) => status)).toEqual(Array(30).fill("fulfilled"));
  expect(made).toHaveLength(40);
  const [firstSessionId = ""] = tens;
  const header = { authorization: `Bearer ${other.token}` };
  const { reportUrl } = await callCore(core, createReportLink, { product, sessionId: firstSessionId }, { header });
  const { browserSessionToken } = await callCore(core, exchangeReportLink, {
    linkToken: reportUrl.split("/").at(-1) ?? "",
  });
  const browserSession = { authorization: `Bearer ${browserSessionToken}` };
  // On another paper, so that none of the ten is what is asked for.
  const own = { sessionId: firstSessionId, format: ReportFormat.PDF, paper: ReportPaper.LETTER, languages: ["de"] };
  await callCore(core, renderOwnReport, own, { header: browserSession });
  expect(made.at(-1)).toBe(firstSessionId);
});
