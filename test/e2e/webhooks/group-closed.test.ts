// Groups that close by themselves: when their time has come, by everybody's clock or by that of their test twin, a receiver
// hears of it.
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CreateGroupRequestSchema } from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { closeDueGroups } from "../../../src/services/groups/closing.ts";
import { createGroup, getGroup } from "../../../src/services/groups/groups.ts";
import { testDomain } from "../../support/domain.ts";
import { trustedClockAt } from "../../support/trusted-clock.ts";
import { type DeliveryWorld, newDeliverer, openDeliveryWorld } from "../../support/webhooks/delivering.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const { signal } = new AbortController();
const hour = 3_600_000;
const product = "values-bridge";

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld();
});
afterAll(() => world.close());

/** A group that closes in an hour, and a receiver that hears of it. */
async function newDueGroup(partnerId: string) {
  const receiver = await startReceiver();
  const { secret } = await world.addEndpoint(partnerId, receiver.url, { types: ["group.closed"] });
  const closesAt = new Date(Date.now() + hour);
  const request = create(CreateGroupRequestSchema, { product, label: "Team", closesAt: timestampFromDate(closesAt) });
  const { group } = await createGroup(testDomain(world.stores), partnerId, request, world.deadline());
  const state = async () => {
    const address = { partnerId, product, groupId: group.groupId };
    const { closedAt } = await getGroup(testDomain(world.stores), address, world.deadline());
    return closedAt === undefined ? null : timestampDate(closedAt);
  };
  return { ...receiver, secret, group, closesAt, state };
}

/** Runs the job, everybody's clock being so far ahead, and delivers what comes of it. @returns how many it closed */
async function closeDue(aheadMs: number): Promise<number> {
  const clock = () => Date.now() + aheadMs;
  let closed = 0;
  for (const stores of world.shards) {
    const domain = testDomain(stores, { clock, trustedClock: trustedClockAt(clock) });
    closed += await closeDueGroups({ ...domain, yieldToCalls: async () => undefined }, signal);
  }
  await world.sequence();
  return closed;
}

type DueGroup = Awaited<ReturnType<typeof newDueGroup>>;

/** The event comes once, signed, with the time that the group was to close at. */
async function expectOneDelivery({ received, secret, group, closesAt, state }: DueGroup): Promise<void> {
  const { run } = newDeliverer(world);
  await expect.poll(async () => run().then(() => received.length), { timeout: 30_000, interval: 20 }).toBe(1);
  const [delivery] = received;
  if (delivery === undefined) throw new Error("nothing came");
  const headers = delivery.headers as Record<string, string>;
  expect(new Webhook(secret).verify(delivery.body, headers)).toMatchObject({
    id: `evt_${group.groupId.replaceAll("-", "")}_group_closed`,
    type: "group.closed",
    timestamp: closesAt.toISOString(),
    data: { groupId: group.groupId },
  });
  expect(await state()).toEqual(closesAt);
}

test("a group whose time has come closes, and its partner's receiver hears of it once, with the time it was to close at", async () => {
  const due = await newDueGroup(await world.addPartner());
  expect(await closeDue(0)).toBe(0);
  expect(await due.state()).toBeNull();
  expect(await closeDue(2 * hour)).toBe(1);
  expect(await closeDue(3 * hour)).toBe(0);
  await expectOneDelivery(due);
});
