// pas usage: how many sessions partners had, by day.
import { getUsage } from "../../services/usage/usage.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, withDomain } from "../database.ts";
import { unlessKnown } from "../faults.ts";

export interface UsageOptions {
  /** Id of a partner; all partners unless given. */
  readonly partner?: string;
  /** Days in UTC. */
  readonly from?: string;
  readonly until?: string;
}

/** Prints usage, a line for each day, partner and mode; and for people, until when it is counted. */
export async function showUsage(context: CommandContext, { partner, from, until }: UsageOptions): Promise<void> {
  const query = { partnerId: partner ?? "", from: from ?? "", until: until ?? "", pageSize: 0 };
  await withDomain(context, async (domain) => {
    for (let pageToken = ""; ; ) {
      const { days, nextPageToken, countedAt } = await getUsage(domain, { ...query, pageToken }, commandDeadline());
      for (const day of days) context.print(day);
      if (nextPageToken === "") return context.say(`counted until ${countedAt?.toISOString() ?? "nothing yet"}`);
      pageToken = nextPageToken;
    }
  }).catch(unlessKnown("partner"));
}
