// pas partner brand|norms|clock: how a partner's pages look, whether its people count for norms of all partners, and
// the clock of a test twin.
import { recordAct } from "../../domain/audit/acts.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import { setParticipation } from "../../domain/norms/participation.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { getBranding, updateBranding } from "../../services/hosted/branding.ts";
import { getPartner } from "../../services/identity/partners.ts";
import { getTestClock, setTestClock } from "../../services/sandbox/test-clock.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { naming, unlessKnown } from "../faults.ts";

/** What to change; an empty text removes what was set. */
export interface BrandOptions {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly support?: string;
  /** Origins, with spaces between. */
  readonly frames?: string;
}

/** Prints the branding of a partner, changed if an option says so. */
export async function brandPartner(context: CommandContext, partnerId: string, options: BrandOptions): Promise<void> {
  const branding = await withDomain(context, async (domain, deadline) => {
    const current = await getBranding(domain, partnerId, deadline);
    if (Object.keys(options).length === 0) return current;
    const changed = {
      displayName: changedValue(options.name, current.displayName),
      logoUrl: changedValue(options.logo, current.logoUrl),
      accentColor: changedValue(options.accent, current.accentColor),
      supportText: changedValue(options.support, current.supportText),
      frameAncestors: options.frames?.split(/\s+/).filter((origin) => origin !== "") ?? current.frameAncestors,
    };
    return recordAct(
      domain,
      { action: PartnerService.method.updateBranding, partnerId: parseUuid(partnerId) ?? null },
      () => naming({ branding: changed }, updateBranding(domain, partnerId, changed, deadline)),
    );
  }).catch(unlessKnown("partner"));
  context.print({ partnerId, ...branding });
}

function changedValue(given: string | undefined, current: string | null): string | null {
  return given === undefined ? current : given || null;
}

export interface PoolOptions {
  readonly pool?: "on" | "off";
  readonly excluded?: "on" | "off";
}

/** Prints whether a partner takes part, changed if an option says so. */
export async function showParticipation(
  context: CommandContext,
  partnerId: string,
  { pool, excluded }: PoolOptions,
): Promise<void> {
  const changes = {
    ...(pool === undefined ? {} : { takesPart: pool === "on" }),
    ...(excluded === undefined ? {} : { isExcluded: excluded === "on" }),
  };
  const { takesPart, isExcluded } = await withDomain(context, (domain, deadline) => {
    const work = () => setParticipation(domain, partnerId, changes, deadline);
    if (Object.keys(changes).length === 0) return work();
    return recordAct(domain, { action: "norm_pool.update", partnerId: parseUuid(partnerId) ?? null }, work);
  }).catch(unlessKnown("partner"));
  context.print({ partnerId, pool: takesPart ? "on" : "off", excluded: isExcluded ? "on" : "off" });
}

export interface TestClockOptions {
  /** What it shall say. */
  readonly now?: Date;
  /** Whether it goes back to the time of everybody. */
  readonly real?: true;
}

/** Prints the clock of a test twin, moved before if the options say so. */
export async function showTestClock(context: CommandContext, id: string, options: TestClockOptions): Promise<void> {
  const { now = null, real = false } = options;
  const view = await withDomain(context, async (domain, deadline) => {
    const { id: partnerId } = await getPartner(domain, id, deadline);
    if (now === null && !real) return getTestClock(domain, partnerId, deadline);
    return recordAct(domain, { action: SandboxService.method.setTestClock, partnerId }, () =>
      setTestClock(domain, partnerId, real ? null : now, deadline),
    );
  }).catch(unlessKnown("partner"));
  context.print({ partnerId: id, now: view.now, aheadSeconds: Math.round(view.aheadMs / 1000) });
}
