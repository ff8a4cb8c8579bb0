// pas retention …: when sessions of a partner expire, and when they are deleted.
import { recordAct } from "../../domain/audit/acts.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import type { Domain } from "../../process/core.ts";
import {
  applyRetention,
  countDeletable,
  countedAs,
  type DeletedCounts,
  nothingDeleted,
  type ObserveDeleted,
} from "../../services/retention/retention.ts";
import { getSessionPolicies, updateSessionPolicy } from "../../services/retention/session-policies.ts";
import { endKeys } from "../../services/sessions/idempotency-keys.ts";
import type { SessionPolicy } from "../../store/retention/session-policy-store.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, onEachShard, untilDone, withDomain } from "../database.ts";
import { unlessKnown } from "../faults.ts";

/** `never` removes what was set. */
type Days = number | "never";

export interface RetentionOptions {
  readonly mode: SessionPolicy["mode"];
  readonly expire?: Days;
  readonly completed?: Days;
  readonly open?: Days;
  readonly answers?: Days;
  readonly results?: Days;
}

/** Prints the policies of a partner. */
export async function showPolicies(context: CommandContext, partnerId: string): Promise<void> {
  const policies = await withDomain(context, (domain, deadline) =>
    getSessionPolicies(domain, partnerId, deadline),
  ).catch(unlessKnown("partner"));
  context.print(policies);
}

/** Changes what the options name of one policy, and prints it. */
export async function setPolicy(context: CommandContext, partnerId: string, options: RetentionOptions): Promise<void> {
  const { mode } = options;
  const policy = await withDomain(context, async (domain, deadline) => {
    const policies = await getSessionPolicies(domain, partnerId, deadline);
    const current = policies.find((each) => each.mode === mode);
    if (current === undefined) throw new Error(`no policy of ${mode} sessions`);
    const changed: SessionPolicy = {
      ...current,
      expiresAfterDays: given(options.expire, current.expiresAfterDays),
      deleteCompletedAfterDays: given(options.completed, current.deleteCompletedAfterDays),
      deleteOpenAfterDays: given(options.open, current.deleteOpenAfterDays),
      deleteAnswersAfterDays: given(options.answers, current.deleteAnswersAfterDays),
      deleteResultsAfterDays: given(options.results, current.deleteResultsAfterDays),
    };
    const act = { action: PartnerService.method.updateSessionPolicy, partnerId: current.partnerId };
    return recordAct(domain, act, () => updateSessionPolicy(domain, changed, deadline));
  }).catch(unlessKnown("partner"));
  context.print(policy);
}

/** Deletes what is due now, or with `dryRun` counts it; prints how much, by policy, and how many idempotency keys. */
export async function runRetention(context: CommandContext, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  context.print(
    await withDomain(context, async (domain) => {
      const newSignal = () => commandDeadline().signal;
      if (dryRun) {
        const found = await onEachShard(domain, async (onShard) => {
          const policies = await countDeletable(onShard, newSignal);
          const now = await onShard.trustedClock.read(newSignal());
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

function given(days: Days | undefined, current: number | null): number | null {
  return days === "never" ? null : (days ?? current);
}
