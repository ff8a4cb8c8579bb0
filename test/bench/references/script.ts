// The statements of a whole assessment with their values, as the service itself sends them: recorded from the pipeline
// over the real stores, so that what the references do cannot drift from what the service does.

import type { Connection } from "mysql2";
import { readConfig } from "../../../src/config.ts";
import { type DatabaseAddress, openDatabase } from "../../../src/database/database.ts";
import { uuidToBytes } from "../../../src/database/rows.ts";
import type { SqlValue } from "../../../src/database/statement.ts";
import { createAdmission } from "../../../src/pipeline/limits/admission.ts";
import { createCore } from "../../../src/process/core.ts";
import { createWebhookWiring } from "../../../src/process/webhooks.ts";
import { createReportRenderer } from "../../../src/products/values-bridge/report-rendering/renderer.ts";
import { EventWatch } from "../../../src/services/events/event-watch.ts";
import { answersToBytes } from "../../../src/store/sessions/session-rows.ts";
import { createStores } from "../../../src/store/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { callCore } from "../../support/transports/core-call.ts";
import { placeholders } from "../load/connections/connection.ts";
import { type Sample, wholeAssessment } from "../load/orders.ts";
import { calls } from "../load/requests.ts";

export type Step = (typeof wholeAssessment)[number];

export interface ScriptStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** Which of the values stand for something that differs from one assessment to the next. */
  readonly idAt: readonly number[];
  readonly externalIdAt: readonly number[];
  readonly answersAt: readonly number[];
}

/** The statements of each request, in order. */
export type Script = Readonly<Record<Step, readonly ScriptStatement[]>>;

interface Executed {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Records the statements of one whole assessment. @param token of a client with the partner scopes */
export async function recordScript(address: DatabaseAddress, token: string, sample: Sample): Promise<Script> {
  const db = openDatabase({ address, poolSize: 1, warn: () => undefined });
  const executed: Executed[] = [];
  const acquire = db.client.acquireConnection.bind(db.client);
  const recorded = new WeakSet<Connection>();
  db.client.acquireConnection = async () => {
    const connection = await acquire();
    // The pool lends the same one again.
    if (!recorded.has(connection)) recording(connection, executed);
    recorded.add(connection);
    return connection;
  };
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: "0" });
  const all = createStores(db);
  // The references keep no audit log: that several calls share a statement of it is the service's own business.
  const stores = { ...all, audit: { ...all.audit, append: async () => undefined } };
  const core = createCore({
    watch: new EventWatch(() => [{ name: "", events: stores.events }]),
    webhooks: createWebhookWiring({ keys: [], allowedNetworks: [] }),
    domain: testDomain(stores, {
      reportDefect: (error) => {
        throw error;
      },
    }),
    admission: createAdmission(config, () => performance.now()),
    config,
    publicUrl: () => "http://localhost",
    observer: () => undefined,
    renderer: createReportRenderer(),
  });
  const play = async (): Promise<Script> => {
    let id = "";
    const parts: [Step, Executed[]][] = [];
    for (const step of wholeAssessment) {
      const { method, message } = calls(sample)[step];
      const header = { authorization: `Bearer ${token}` };
      const input = step === "create" ? message : { ...message, sessionId: id };
      const response = await callCore(core, method, input, { header });
      id = (response as unknown as { sessionId: string }).sessionId;
      parts.push([step, executed.splice(0)]);
    }
    return toScript(parts, id, sample);
  };
  try {
    // The first time there are statements that fill the caches.
    await play();
    return await play();
  } finally {
    await db.destroy();
  }
}

function recording(connection: Connection, executed: Executed[]): void {
  const execute = connection.execute.bind(connection);
  const refuse = () => {
    throw new Error("the store sends more than prepared statements; teach the bench about it");
  };
  const record = (sql: string, values: never[], done: (error: Error | null, result: unknown) => void) => {
    executed.push({ sql, values: [...values] });
    execute(sql, values, done);
  };
  Object.assign(connection, { query: refuse, execute: record });
}

function toScript(parts: readonly [Step, readonly Executed[]][], id: string, sample: Sample): Script {
  const idBytes = uuidToBytes(id);
  const externalId = Buffer.from(placeholders.externalId);
  const answers = answersToBytes(sample.answers.map(({ value }) => value));
  const statementOf = ({ sql, values }: Executed): ScriptStatement => {
    const placesOf = (bytes: Buffer) =>
      values.flatMap((value, index) => (Buffer.isBuffer(value) && value.equals(bytes) ? [index] : []));
    return {
      sql,
      values,
      idAt: placesOf(idBytes),
      externalIdAt: placesOf(externalId),
      answersAt: placesOf(answers),
    };
  };
  const script = Object.fromEntries(
    parts.map(([step, statements]) => [step, statements.map(statementOf)]),
  ) as unknown as Script;
  const isWhole =
    script.create.some(({ idAt, externalIdAt }) => idAt.length > 0 && externalIdAt.length > 0) &&
    script.record.some(({ idAt, answersAt }) => idAt.length > 0 && answersAt.length > 0) &&
    script.complete.some(({ idAt }) => idAt.length > 0) &&
    script.results.some(({ idAt }) => idAt.length > 0);
  if (!isWhole) throw new Error("the recorded statements lack the id, the person or the answers");
  return script;
}
