// The service on a cluster of Vitess whose parts are killed, and whose shards are divided, while assessments go on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { EventService } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import { report } from "../../faults/support/run/report.ts";
import { bearer, GrpcClient } from "../../support/transports/grpc-client.ts";
import { divide } from "./divide.ts";
import { openReceivers } from "./receivers.ts";
import { openStage, type Stage } from "./stage.ts";

/** What can be ended by a signal and started again. */
interface Breakable {
  readonly end: (signal: "SIGKILL") => Promise<unknown>;
  readonly start: () => Promise<void>;
}

interface Kill {
  readonly what: string;
  readonly of: (stage: Stage) => Breakable | undefined;
  /** Whether callers hear nothing of it. */
  readonly isUnheard?: true;
}

const tabletOf = ({ cluster }: Stage, shard: string) => cluster.tablets.find((tablet) => tablet.shard === shard);

const kills: readonly Kill[] = [
  { what: "etcd", of: ({ cluster }) => cluster.parts.etcd, isUnheard: true },
  { what: "vtgate", of: ({ cluster }) => cluster.parts.vtgate },
  { what: "a vttablet of assess", of: (stage) => tabletOf(stage, "80-")?.part },
  { what: "a mysqld of assess", of: (stage) => tabletOf(stage, "-80")?.mysql },
  { what: "the mysqld of global", of: (stage) => tabletOf(stage, "0")?.mysql },
  { what: "a core", of: ({ service }) => service.cores[0] },
  { what: "a gateway", of: ({ service }) => service.gateways[1] },
];

let running: Stage;
beforeAll(async () => {
  running = await openStage(["-80", "80-"]);
});
afterAll(() => running.stop());

test("assessments of many partners have their events once and in order", async () => {
  const load = running.play();
  await load.untilEach(12);
  await running.reckon(load);
});

test.each(kills)(
  "killing $what under load loses nothing acknowledged, and causes only temporary errors",
  async (kill) => {
    const victim = kill.of(running);
    const load = running.play();
    await load.untilEach(4);
    load.take();
    await victim?.end("SIGKILL");
    await (kill.isUnheard ? load.untilEach(4) : load.untilTrouble());
    await victim?.start();
    await load.untilEach(8);
    report(`${kill.what} killed`, { ...load.take() });
    await running.reckon(load);
  },
);

test("dividing two shards into four under load loses and repeats no event, for older cursors as well", async () => {
  const { cluster } = running;
  const untilDelivered = await openReceivers(running);
  const load = running.play();
  await load.untilEach(8);
  const before = await readFeed("");
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const divisions = [
    ["-80", ["-40", "40-80"]],
    ["80-", ["80-c0", "c0-"]],
  ] as const;
  const steps: string[] = [];
  await divide(
    cluster,
    divisions,
    (step) => steps.push(`${step} after ${seconds()} s`),
    async () => {
      await load.untilEach(4);
      report("while rows were copied", { ...load.take() });
    },
  );
  await load.untilEach(8);
  report("while traffic was switched", { ...load.take(), steps });
  await running.reckon(load);
  for (const { logged, received } of await untilDelivered()) expect(received).toEqual(logged);
  const rest = await readFeed(before.cursor);
  const whole = await readFeed("");
  expect(new Set(whole.ids).size).toBe(whole.ids.length);
  expect([...before.ids, ...rest.ids].toSorted()).toEqual(whole.ids.toSorted());
});

/** Events of all partners after a cursor, to the end of the logs. */
async function readFeed(cursor: string): Promise<{ ids: string[]; cursor: string }> {
  const { grpcAddress, token } = running.service.reader;
  const client = new GrpcClient(grpcAddress);
  const ids: string[] = [];
  let after = cursor;
  for (let atEnd = false; !atEnd; ) {
    const page = await client.unary(EventService.method.listAllEvents, { after, pageSize: 500 }, bearer(token));
    ids.push(...page.events.map(({ event }) => event?.id ?? ""));
    after = page.next;
    ({ atEnd } = page);
  }
  client.close();
  return { ids, cursor: after };
}
