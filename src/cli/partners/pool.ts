// pas partner norms …: whether a partner's people count for norms of all partners.
import { recordAct } from "../../domain/audit/acts.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import { setParticipation } from "../../domain/norms/participation.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { unlessKnown } from "../faults.ts";

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
