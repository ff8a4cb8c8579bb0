// Partners to whom webhooks are delivered meanwhile.
import { createConnection } from "mysql2/promise";
import { type EventName, readLog } from "../../faults/support/events/event-log.ts";
import { PartnerReceiver } from "../../faults/support/events/partner-receiver.ts";
import type { Stage } from "./stage.ts";

/** So many that two shards have some. */
const count = 4;

/** What a partner's log has and what its receiver got, each in the order of names. */
export interface Delivered {
  readonly logged: readonly EventName[];
  readonly received: readonly EventName[];
}

/**
 * Opens endpoints of some partners. The function that it gives resolves when they have got as many events as have come into
 * their logs since. Nothing may happen any more then.
 */
export async function openReceivers({ cluster, service }: Stage): Promise<() => Promise<Delivered[]>> {
  const callers = service.callers.slice(0, count);
  const logs = async () => {
    const connection = await createConnection(cluster.url);
    const read = await Promise.all(callers.map(({ partnerId }) => readLog(connection, partnerId)));
    await connection.end();
    return read;
  };
  const before = await logs();
  const receivers = await Promise.all(callers.map((caller) => PartnerReceiver.open(caller, caller.token)));
  return async () => {
    const after = await logs();
    return Promise.all(
      receivers.map(async (receiver, index) => {
        const logged = (after[index] ?? []).slice(before[index]?.length);
        await receiver.untilKnown(logged.length);
        return { logged: logged.toSorted(), received: receiver.names.toSorted() };
      }),
    );
  };
}
