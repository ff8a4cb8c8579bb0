// How many of a kind go on at a time, and who is next.
import { describe, expect, test } from "vitest";
import { type Caller, toCaller, toNetworkCaller } from "../../src/kernel/calls/core.ts";
import { toTwinId } from "../../src/kernel/ids.ts";
import { type NoSlot, Semaphore, type SemaphoreLimits } from "../../src/limits/semaphore.ts";

/** `a1` is the client 1 of the partner `a`. */
function toClient(name: string): Caller {
  return { partner: name.slice(0, 1), client: name };
}

/** A semaphore, and who has slots or was refused so far, in order. */
function newSemaphore(limits: Partial<SemaphoreLimits> = {}) {
  const refusals: NoSlot[] = [];
  const semaphore = new Semaphore({ slots: 4, slotsPerPartner: 2, queue: 8, ...limits }, (reason) => {
    refusals.push(reason);
    return new Error(reason);
  });
  const served: string[] = [];
  const slots = new Map<string, Disposable[]>();
  const take = async (name: string, signal = new AbortController().signal) => {
    const slot = await semaphore.acquire(toClient(name), signal);
    served.push(name);
    slots.set(name, [...(slots.get(name) ?? []), slot]);
  };
  /** Asks for slots in this order; whoever gets none is among the refused. */
  const ask = (...names: string[]) => {
    const requests = names.map((name) => take(name));
    for (const each of requests) each.catch(() => undefined);
    return requests;
  };
  /** Gives one slot back, and lets those have a turn that wait for it. */
  const leave = async (name: string) => {
    slots.get(name)?.shift()?.[Symbol.dispose]();
    await new Promise(setImmediate);
  };
  return { semaphore, served, refusals, ask, leave };
}

const times = (count: number, name: string) => Array<string>(count).fill(name);

describe("shares of partners", () => {
  test("a partner gets its share of the slots, however many clients it has, and another one gets the rest", async () => {
    const { semaphore, ask, leave, served } = newSemaphore();
    const requests = ask("a1", "a2", "a3", "b1", "b1");
    await Promise.all([...requests.slice(0, 2), ...requests.slice(3)]);
    expect(served).toEqual(["a1", "a2", "b1", "b1"]);
    await leave("b1");
    expect(semaphore.state).toEqual({ running: 3, waiting: 1 });
    await leave("a1");
    expect(served.at(-1)).toBe("a3");
  });

  test("partners take turns in the queue, however many calls each has, and so do the clients of a partner", async () => {
    const { ask, leave, served } = newSemaphore({ slots: 1, slotsPerPartner: 1 });
    await Promise.all(ask("a1"));
    void ask("a1", "a1", "a1", "a2", "b1", "b1");
    while (served.length < 7) await leave(served.at(-1) ?? "");
    expect(served).toEqual(["a1", "a1", "b1", "a2", "b1", "a1", "a1"]);
  });

  test("a partner with too many calls in the queue is refused at once, and another one may still wait", async () => {
    const { semaphore, ask, refusals } = newSemaphore({ queuePerPartner: 3 });
    void ask(...times(6, "a1"));
    await new Promise(setImmediate);
    expect([semaphore.state, refusals]).toEqual([{ running: 2, waiting: 3 }, ["share"]]);
    expect(() => semaphore.requireSlot(toClient("a1"))).toThrow("share");
    semaphore.requireSlot(toClient("b1"));
    semaphore.requireSlot(toClient("a2"));
  });

  test("a partner and its test twin count as one", async () => {
    const id = "01900000-0000-7000-8000-000000000000";
    expect(toCaller(toTwinId(id) ?? "", "client")).toEqual({ partner: id, client: "client" });
    expect(toCaller(id, "client")).toEqual({ partner: id, client: "client" });
    expect(toNetworkCaller("2001:db8::1")).toEqual(toNetworkCaller("2001:db8::2"));
  });

  test("a client may have fewer slots than its partner", async () => {
    const { semaphore, ask, served } = newSemaphore({ slotsPerClient: 1 });
    void ask("a1", "a1", "a2");
    await new Promise(setImmediate);
    expect([served, semaphore.state]).toEqual([["a1", "a2"], { running: 2, waiting: 1 }]);
  });
});

describe("a full queue", () => {
  test("a full queue has room for a partner with less than an even share of it, and nobody who waits is refused", async () => {
    const { semaphore, ask, refusals } = newSemaphore({ slots: 2, queue: 4 });
    void ask(...times(6, "a1"), "b1", "b1", "c1", "a1");
    await new Promise(setImmediate);
    expect([semaphore.state, refusals]).toEqual([{ running: 2, waiting: 6 }, ["full", "share"]]);
    expect(() => semaphore.requireSlot(toClient("b1"))).toThrow("full");
  });

  test("however many partners come, twice as many wait as the queue takes at most", async () => {
    const { semaphore, ask } = newSemaphore({ slots: 1, slotsPerPartner: 1, queue: 32 });
    for (const partner of "abcdefghijklmnopqrstuvwxyz") void ask(...times(40, `${partner}1`));
    await new Promise(setImmediate);
    expect(semaphore.state.waiting).toBe(64);
  });

  test("a full queue makes room for a client with fewer calls than another one of its partner", async () => {
    const { semaphore, ask, refusals } = newSemaphore({ queuePerPartner: 3 });
    void ask(...times(5, "a1"), "a2");
    await new Promise(setImmediate);
    expect([semaphore.state.waiting, refusals]).toEqual([4, []]);
    expect(() => semaphore.requireSlot(toClient("a2"))).toThrow("share");
  });

  test("a queue of length zero refuses at once, for the caller's own share or because all slots are taken", async () => {
    const { ask, refusals } = newSemaphore({ slots: 3, queue: 0 });
    void ask("a1", "a1", "a1", "b1", "b1");
    await new Promise(setImmediate);
    expect(refusals).toEqual(["share", "full"]);
  });
});

describe("a call in the queue", () => {
  test("a call in the queue is refused after its time, and others are accepted as soon as a slot is free", async () => {
    const { semaphore, ask, leave, served, refusals } = newSemaphore({ slots: 1, waitMs: 20 });
    const [, late] = ask("a1", "a1");
    await expect(late).rejects.toThrow("waited");
    await leave("a1");
    await Promise.all(ask("b1"));
    expect([served, refusals, semaphore.state]).toEqual([["a1", "b1"], ["waited"], { running: 1, waiting: 0 }]);
  });

  test("a call in the queue leaves it when its signal aborts, with that signal's reason", async () => {
    const { semaphore } = newSemaphore({ slots: 1 });
    using _slot = await semaphore.acquire(toClient("a1"));
    const [abort, over] = [new AbortController(), new Error("over")];
    const waiting = semaphore.acquire(toClient("a1"), abort.signal);
    expect(semaphore.state.waiting).toBe(1);
    abort.abort(over);
    await expect(waiting).rejects.toBe(over);
    await expect(semaphore.run(toClient("b1"), abort.signal, async () => undefined)).rejects.toBe(over);
    expect(semaphore.state).toEqual({ running: 1, waiting: 0 });
  });

  test("a call that had a slot before is refused neither for the length of the queue nor for its waiting time", async () => {
    const { semaphore, refusals } = newSemaphore({ slots: 1, queue: 0, waitMs: 1 });
    const first = await semaphore.acquire(toClient("a1"));
    const { signal } = new AbortController();
    const back = semaphore.acquire(toClient("b1"), signal, true);
    expect(semaphore.state).toEqual({ running: 1, waiting: 1 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    first[Symbol.dispose]();
    (await back)[Symbol.dispose]();
    expect([semaphore.state, refusals]).toEqual([{ running: 0, waiting: 0 }, []]);
  });
});

test("a slot that is released twice counts once, and a slot is released whether the work succeeds or fails", async () => {
  const { semaphore } = newSemaphore();
  const slot = await semaphore.acquire(toClient("a1"));
  const other = await semaphore.acquire(toClient("a1"));
  for (let time = 0; time < 2; time += 1) slot[Symbol.dispose]();
  expect(semaphore.state.running).toBe(1);
  other[Symbol.dispose]();
  const { signal } = new AbortController();
  await expect(semaphore.run(toClient("a1"), signal, () => Promise.reject(new Error("failed")))).rejects.toThrow(
    "failed",
  );
  await expect(semaphore.run(toClient("a1"), signal, async () => semaphore.state.running)).resolves.toBe(1);
  expect(semaphore.state.running).toBe(0);
});

test("the state of a partner is kept while one of its calls has a slot or waits for one, and not afterwards", async () => {
  const { ask, leave, refusals } = newSemaphore({ slots: 1, queue: 4 });
  for (const partner of "cdefgh") {
    await Promise.all(ask(`${partner}1`));
    await leave(`${partner}1`);
  }
  // A full queue has an even share for a partner only if those that are gone do not count.
  void ask(...times(5, "a1"), "b1");
  await new Promise(setImmediate);
  expect(refusals).toEqual([]);
});
