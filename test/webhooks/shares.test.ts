// Who may begin: partners first, and nobody waits for another's timeouts.
import { expect, test } from "vitest";
import { maxEndpoints } from "../../src/domain/webhooks/endpoint.ts";
import { allocateConnections, type EndpointConnections } from "../../src/webhooks/shares.ts";

const total = 128;
const endpointOf = (
  partnerId: string,
  index: number,
  lastAnswered: EndpointConnections["lastAnswered"],
  failures = 0,
) => ({
  ...{ id: `${partnerId} ${index}`, partnerId, lastAnswered, failures },
});
const endpointsOf = (
  partnerId: string,
  count: number,
  lastAnswered: EndpointConnections["lastAnswered"],
  failures = 0,
) => Array.from({ length: count }, (_, index) => endpointOf(partnerId, index, lastAnswered, failures));
const silentPartners = (lastAnswered: EndpointConnections["lastAnswered"], failures: number) =>
  Array.from({ length: 35 }, (_, index) => endpointsOf(`silent ${index}`, maxEndpoints, lastAnswered, failures)).flat();
const countOf = (allocated: ReadonlyMap<string, number>) =>
  [...allocated.values()].reduce((sum, count) => sum + count, 0);
/** What is under way once all have begun that may. */
const begun = (due: readonly ReturnType<typeof endpointOf>[]) => {
  const allocated = allocateConnections(due, [], total);
  return due.map((endpoint) => ({ ...endpoint, connections: allocated.get(endpoint.id) ?? 0 }));
};

test.each([
  ["new", "unknown", 0],
  ["known not to answer", "no", 2],
] as const)(
  "new and healthy endpoints begin at once beside 35 partners × 16 silent ones that are %s",
  (_, lastAnswered, failures) => {
    const silent = silentPartners(lastAnswered, failures);
    const running = begun(silent);
    const newcomer = endpointOf("newcomer", 0, "unknown");
    const healthy = endpointOf("healthy", 0, "yes");
    const allocated = allocateConnections([...silent, newcomer, healthy], running, total);
    expect([allocated.get(newcomer.id), allocated.get(healthy.id)]).toEqual([1, 4]);
  },
);

test("a partner's new endpoint begins at once beside its own that do not answer", () => {
  const own = endpointsOf("partner", maxEndpoints - 1, "no", 1);
  const running = begun([...own, ...silentPartners("no", 1)]);
  const fresh = endpointOf("partner", maxEndpoints, "unknown");
  expect(allocateConnections([...own, fresh], running, total).get(fresh.id)).toBe(1);
});

test("one partner has half of the connections at most, and one endpoint four", () => {
  const allocated = allocateConnections(endpointsOf("one", 32, "yes"), [], total);
  expect(countOf(allocated)).toBe(total / 2);
  expect(Math.max(...allocated.values())).toBe(4);
  expect(
    countOf(allocateConnections([endpointOf("other", 0, "yes")], begun(endpointsOf("one", 32, "yes")), total)),
  ).toBe(4);
});

test("connections go to the partner with the fewest, and no more are given than there are", () => {
  const due = [...endpointsOf("one", 16, "yes"), ...endpointsOf("two", 16, "yes"), ...endpointsOf("three", 1, "yes")];
  const allocated = allocateConnections(due, [], 16);
  const of = (partnerId: string) => countOf(new Map([...allocated].filter(([id]) => id.startsWith(partnerId))));
  expect([of("one"), of("two"), of("three")]).toEqual([6, 6, 4]);
});

test.each([
  [1, 1],
  [3, 1],
  [4, 1],
  [8, 2],
])(
  "silent endpoints get a quarter of %i connections, at least one, and endpoints that answer get the rest",
  (few, quarter) => {
    const silent = endpointsOf("silent", 16, "no", 1);
    const slow = allocateConnections(silent, [], few);
    expect(countOf(slow)).toBe(quarter);
    const running = silent.map((endpoint) => ({ ...endpoint, connections: slow.get(endpoint.id) ?? 0 }));
    const rest = allocateConnections(
      ["a", "b", "c", "d"].map((name) => endpointOf(name, 0, "yes")),
      running,
      few,
    );
    expect(countOf(rest)).toBe(few - countOf(slow));
  },
);
