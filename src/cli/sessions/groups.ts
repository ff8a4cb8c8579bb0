// pas groups …: finding and closing groups. Their numbers are for partners, and never shown here.

import { setImmediate } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { recordAct } from "../../domain/audit/acts.ts";
import { GroupSchema, GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { maxGroupPageSize } from "../../kernel/requests/group-request.ts";
import { closeGroup } from "../../services/groups/closing.ts";
import { toGroupMessage } from "../../services/groups/group-messages.ts";
import { getGroup, listGroups, type ReportedGroup } from "../../services/groups/groups.ts";
import { getPartner } from "../../services/identity/partners.ts";
import { inTimeOf } from "../../services/sandbox/test-clock.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, withDomain } from "../database.ts";
import { unlessFound, unlessKnown } from "../faults.ts";

const groupJson = toJson(GroupSchema);
const noSuchGroup = "there is no such group of that partner";

interface GroupOptions {
  /** Id of the partner. */
  readonly partner: string;
  readonly product: string;
}

/** Prints the groups of a partner, one a line as in the interface, the newest first. */
export function printGroups(context: CommandContext, { partner, product }: GroupOptions): Promise<void> {
  return withDomain(context, async (domain) => {
    const { id: partnerId } = await getPartner(domain, partner, commandDeadline()).catch(unlessKnown("partner"));
    for (let after = ""; ; ) {
      const query = { partnerId, product, pageSize: maxGroupPageSize, after };
      const page = await listGroups(domain, query, commandDeadline()).catch(
        unlessFound(`there is no product ${product}`),
      );
      for (const group of page.groups) context.print(toGroupJson(group));
      if (page.next === "") return;
      after = page.next;
    }
  });
}

/** Prints a group. */
export async function showGroup(context: CommandContext, groupId: string, options: GroupOptions): Promise<void> {
  const { partner: partnerId, product } = options;
  const found = await withDomain(context, (domain, deadline) =>
    getGroup(domain, { partnerId, product, groupId }, deadline).catch(unlessFound(noSuchGroup)),
  );
  context.print(toGroupJson(found));
}

/** Closes a group, as the interface does, and prints it. */
export async function close(context: CommandContext, groupId: string, options: GroupOptions): Promise<void> {
  const { partner, product } = options;
  const closed = await withDomain(context, async (domain, deadline) => {
    const { id: partnerId } = await getPartner(domain, partner, deadline).catch(unlessKnown("partner"));
    const inTime = await inTimeOf(domain, partnerId, deadline.signal);
    const closing = { ...inTime, yieldToCalls: () => setImmediate() };
    const act = { action: GroupService.method.closeGroup, partnerId, targetId: groupId };
    return recordAct(domain, act, () => closeGroup(closing, { partnerId, product, groupId }, deadline)).catch(
      unlessFound(noSuchGroup),
    );
  });
  context.print(toGroupJson(closed));
}

function toGroupJson(group: ReportedGroup): unknown {
  return groupJson(create(GroupSchema, toGroupMessage(group)));
}
