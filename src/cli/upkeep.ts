// Tasks of operators without an rpc: they concern all partners, or the service itself.
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { NIL } from "uuid";
import { recordAct } from "../domain/audit/trail.ts";
import { writeCursor } from "../domain/events/event-cursor.ts";
import type { Endpoint } from "../domain/webhooks/endpoint.ts";
import { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import { parseUuid } from "../kernel/ids.ts";
import { readAllRows } from "../services/all-rows.ts";
import { type AnchorPosition, toHex } from "../services/audit/anchors.ts";
import { type AuditFault, verifyAudit } from "../services/audit/verify.ts";
import type { Dependencies } from "../services/dependencies.ts";
import { setParticipation } from "../services/norms/pool.ts";
import { computeNorms } from "../services/norms/run.ts";
import { rescoreSessions } from "../services/sessions/lifecycle.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { createDeadline, createEndlessSignal, withDependencies } from "./database.ts";
import { rethrowMissingPartner } from "./faults.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";

/** Scores the completed sessions whose scoring failed. */
export async function rescoreAll(context: CommandContext): Promise<void> {
  context.print(await withDependencies(context, (dependencies) => rescoreSessions(dependencies, createDeadline)));
}

/** Computes the norms of all partners now, like the nightly job. */
export async function computeNormsNow(context: CommandContext): Promise<void> {
  const runs = await withDependencies(context, async (dependencies) => {
    // By a wrong clock, too much would be removed.
    const fault = dependencies.clockFault();
    if (fault !== undefined) throw new Error(fault);
    const until = new Date(dependencies.clock());
    return computeNorms({ ...dependencies, pause: () => setImmediate() }, until, createEndlessSignal());
  });
  context.print(runs);
}

/** Prints whether a partner takes part in norms of all partners, after changing it if the option is given. */
export async function changeParticipation(
  context: CommandContext,
  { pool }: { readonly pool?: "on" | "off" },
  partnerId: string,
): Promise<void> {
  const takesPart = pool && pool === "on";
  const since = await withDependencies(context, (dependencies, deadline) => {
    const work = () => setParticipation(dependencies, partnerId, takesPart, deadline);
    if (takesPart === undefined) return work();
    return recordAct(dependencies, { action: "norm_pool.update", partnerId: parseUuid(partnerId) ?? null }, work);
  }).catch(rethrowMissingPartner);
  context.print({ partnerId, pool: since === null ? "off" : "on" });
}

/** Skips 2^32 positions, so that none is used twice after a restored backup. Prints the head. */
export async function skipEventsAhead(context: CommandContext): Promise<void> {
  const position = await withDependencies(context, async ({ shards }, { signal }) => {
    const heads = new Map<string, number>();
    for (const { name, events } of shards()) {
      await events.skipAhead(signal);
      heads.set(name, (await events.findBounds(signal)).lastNumber);
    }
    return heads;
  });
  context.print({ position: writeCursor(position) });
}

/** Page size of endpoints. */
const pageSize = 500;

/** Encrypts all webhook secrets with the first key of WEBHOOK_KEY, and prints their number. */
export async function resealWebhookSecrets(context: CommandContext): Promise<void> {
  const keys = await provideWebhookKeys(context.config);
  const sealer = new SecretSealer(keys, randomBytes);
  const resealSecrets = async ({ webhooks }: Pick<Dependencies, "webhooks">) => {
    const counts = { resealed: 0, current: 0, unreadable: 0 };
    const read = (last?: Endpoint) =>
      webhooks.listEndpoints(undefined, last?.id ?? NIL, pageSize, createDeadline().signal);
    for await (const endpoint of readAllRows(pageSize, read)) {
      for (const sealedSecret of await webhooks.listSecrets(endpoint, createDeadline().signal)) {
        const secret = sealer.open(sealedSecret);
        if (secret === undefined) counts.unreadable += 1;
        else if (sealer.isCurrent(sealedSecret)) counts.current += 1;
        else {
          const newSecret = { id: sealedSecret.id, ...sealer.seal(secret, sealedSecret) };
          await webhooks.resealSecret(endpoint.partnerId, newSecret, createDeadline().signal);
          counts.resealed += 1;
        }
      }
    }
    return counts;
  };
  context.print(await withDependencies(context, resealSecrets));
}

/**
 * Reads the whole log, prints every fault and then a summary. Throws if there is a fault.
 * @param heads logged ones
 */
export async function verifyLog(context: CommandContext, { head: heads = [] }: { head?: string[] }): Promise<void> {
  const expectedAnchors = heads.map(readAnchor);
  const { AUDIT_KEY: auditKeys = [], AUDIT_RETENTION_DAYS: days } = context.config;
  const report = (fault: AuditFault) => context.print(fault);
  const verification = await withDependencies(context, ({ audit, clock }) =>
    verifyAudit({ audit, auditKeys, clock }, days, expectedAnchors, report, createEndlessSignal()),
  );
  const { head, ...counts } = verification;
  const anchor = head && `${head.sequence}:${toHex(head.hash)}`;
  context.print({ ...counts, head: anchor, signed: auditKeys.length > 0 });
  if (verification.faults > 0) throw new Error("the audit log was changed after it was written");
}

function readAnchor(text: string): AnchorPosition {
  const [, sequence = "", hash = ""] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash !== "") return { sequence: Number(sequence), hash: Buffer.from(hash, "hex") };
  throw new UsageError("an anchor is a number, a colon and 64 hexadecimal digits, as it is logged");
}
