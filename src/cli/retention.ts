// pas retention run: counts or deletes data whose retention period has ended.
import { recordAct } from "../domain/audit/acts.ts";
import type { Domain } from "../process/core.ts";
import { endKeys } from "../services/retention/maintenance.ts";
import {
  applyRetention,
  countDeletable,
  countedAs,
  type DeletedCounts,
  nothingDeleted,
  type ObserveDeleted,
} from "../services/retention/retention.ts";
import type { SessionPolicy } from "../store/retention/session-policy-store.ts";
import type { CommandContext } from "./command.ts";
import { commandDeadline, onEachShard, untilDone, withDomain } from "./database.ts";

/** Deletes what is due now, or with `dryRun` counts it. Prints numbers by policy, and of idempotency keys. */
export async function runRetention(context: CommandContext, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  context.print(
    await withDomain(context, async (domain) => {
      const newSignal = () => commandDeadline().signal;
      if (dryRun) {
        const found = await onEachShard(domain, async (onShard) => {
          const policies = await countDeletable(onShard, newSignal);
          const now = onShard.trustedClock.now();
          return { policies, keys: await onShard.idempotencyKeys.countExpiredKeys(now, newSignal()) };
        });
        const idempotencyKeys = found.reduce((sum, { keys }) => sum + keys, 0);
        return { policies: found.flatMap(({ policies }) => policies), idempotencyKeys };
      }
      const counts = new Map<string, SessionPolicy & DeletedCounts>();
      const observe: ObserveDeleted = (policy, deleted, sessions) => {
        const key = `${policy.partnerId} ${policy.mode}`;
        const count = counts.get(key) ?? { ...policy, ...nothingDeleted };
        count[countedAs[deleted]] += sessions;
        counts.set(key, count);
      };
      let idempotencyKeys = 0;
      const observeKeys = (keys: number) => {
        idempotencyKeys += keys;
      };
      const run = async (onShard: Domain) => {
        await applyRetention(onShard, observe, untilDone());
        await endKeys(onShard, observeKeys, untilDone());
      };
      await recordAct(domain, { action: "retention.run" }, () => onEachShard(domain, run));
      return { policies: [...counts.values()], idempotencyKeys };
    }),
  );
}
