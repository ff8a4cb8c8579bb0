// How much a process takes on, decided call by call.
import { describe, expect, test } from "vitest";
import type { Refusal } from "../../src/kernel/errors/refusal.ts";
import { Admission } from "../../src/pipeline/limits/admission.ts";

const limits = { calls: 4, callsPerCaller: 2, runningPerCaller: 2 };
const busy = { code: "unavailable", retryAfterSeconds: 1 };
const tooMany = { code: "rate_limited", retryAfterSeconds: 1 };

/** An admission with a clock that only the test moves, and calls that wait as long as the test lets them. */
function newAdmission(changes: Partial<typeof limits> = {}) {
  const state = { now: 0 };
  const admission = new Admission({ ...limits, ...changes }, () => state.now);
  const served: string[] = [];
  const call = async (caller: string, signal = new AbortController().signal) => {
    await admission.enter(caller, signal);
    served.push(caller);
  };
  const calls = (caller: string, count: number) => Array.from({ length: count }, () => call(caller));
  return { admission, state, served, call, calls };
}

function refusalOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return detailsOf(error as Refusal);
  }
  throw new Error("not refused");
}

function detailsOf({ code, retryAfterSeconds }: Refusal) {
  return { code, retryAfterSeconds };
}

function rejectionOf(call: Promise<unknown>) {
  return call.then(
    () => Promise.reject(new Error("not refused")),
    (error: Refusal) => detailsOf(error),
  );
}

describe("a caller", () => {
  test("has its part of the places and no more, while another one has the rest", async () => {
    const { admission, calls, served } = newAdmission();
    const mine = calls("a", 3);
    await Promise.all(calls("b", 2));
    expect(served).toEqual(["a", "a", "b", "b"]);
    expect(admission.state).toEqual({ running: 4, waiting: 1 });
    admission.leave("a");
    await Promise.all(mine);
    expect(admission.state).toEqual({ running: 4, waiting: 0 });
  });

  test("that has all of its places gets none that another one gives back, and who waits behind it does", async () => {
    const { admission, calls, served } = newAdmission();
    const all = [...calls("a", 3), ...calls("b", 2)];
    admission.leave("b");
    await Promise.all(calls("c", 1));
    expect(admission.state).toEqual({ running: 4, waiting: 1 });
    all.push(...calls("c", 1));
    admission.leave("b");
    await all.at(-1);
    expect(served).toEqual(["a", "a", "b", "b", "c", "c"]);
    expect(admission.state).toEqual({ running: 4, waiting: 1 });
    admission.leave("a");
    await Promise.all(all);
  });

  test("with too many waiting calls is refused at once, and told when to come back; another one may still wait", () => {
    const { admission, calls } = newAdmission();
    void calls("a", 2);
    const waiting = calls("a", 8);
    for (const each of waiting) each.catch(() => undefined);
    const { signal } = new AbortController();
    expect(refusalOf(() => admission.check("a"))).toEqual(tooMany);
    expect(refusalOf(() => admission.enter("a", signal))).toEqual(tooMany);
    admission.check("b");
    expect(admission.state).toEqual({ running: 2, waiting: 8 });
  });

  test("that waits with one call is served after one of another's many, not after all of them", async () => {
    const { admission, calls, served } = newAdmission({ calls: 2 });
    const all = [...calls("a", 6), ...calls("b", 2)];
    for (const caller of ["a", "a", "a", "b", "a", "b"]) admission.leave(caller);
    await Promise.all(all);
    expect(served).toEqual(["a", "a", "a", "b", "a", "b", "a", "a"]);
  });

  test("is forgotten when its last call has ended or given up", async () => {
    const { admission, calls } = newAdmission({ calls: 1 });
    const abort = new AbortController();
    await Promise.all(calls("a", 1));
    const given = Array.from({ length: 3 }, (_, index) => admission.enter(`waits ${index}`, abort.signal));
    expect(admission.callers).toBe(4);
    abort.abort(new Error("over"));
    await expect(Promise.allSettled(given)).resolves.toHaveLength(3);
    expect(admission.callers).toBe(1);
    admission.leave("a");
    expect(admission.callers).toBe(0);
    admission.check("a");
    expect(admission.callers).toBe(0);
  });
});

describe("a process", () => {
  test("whose waiting places are all taken refuses every caller at once, and tells it when to come back", () => {
    const { admission, calls } = newAdmission({ calls: 2, callsPerCaller: 2 });
    void calls("a", 2);
    for (const each of ["b", "c"].flatMap((caller) => calls(caller, 4))) each.catch(() => undefined);
    expect(refusalOf(() => admission.check("d"))).toEqual(busy);
    expect(refusalOf(() => admission.enter("d", new AbortController().signal))).toEqual(busy);
  });

  test("whose places do not become free gives those who wait up, and takes others on as soon as one is free", async () => {
    const { admission, call, calls } = newAdmission();
    await Promise.all(calls("a", 2));
    expect(await Promise.all(calls("a", 2).map(rejectionOf))).toEqual([busy, busy]);
    expect(admission.state).toEqual({ running: 2, waiting: 0 });
    admission.leave("a");
    await call("a");
    expect(admission.state).toEqual({ running: 2, waiting: 0 });
  });

  test("lets only as many of a caller wait as may run, once its calls have been waiting for more than a burst", async () => {
    const { admission, state, calls } = newAdmission();
    await Promise.all(calls("a", 2));
    const wait = () => void calls("a", 1)[0]?.catch(() => undefined);
    const leave = () => admission.leave("a");
    /** One call after the other waits, and is let in as another one ends. */
    const keepWaiting = (ms: number) => {
      for (const end = state.now + ms; state.now < end; state.now += 20) {
        wait();
        leave();
      }
    };
    keepWaiting(900);
    for (const step of [wait, wait]) step();
    admission.check("a");
    for (const step of [leave, leave]) step();
    keepWaiting(200);
    wait();
    admission.check("a");
    wait();
    expect(refusalOf(() => admission.check("a"))).toEqual(tooMany);
    for (const call of calls("b", 6)) void call.catch(() => undefined);
    admission.check("b");
    for (const step of [leave, leave]) step();
    state.now += 1_000;
    // Nobody has waited for a while, so this is a burst again.
    for (let count = 0; count < 8; count += 1) wait();
    expect(refusalOf(() => admission.check("a"))).toEqual(tooMany);
    expect(admission.state).toEqual({ running: 4, waiting: 12 });
  });

  test("lets go of a call that is over while it waits", async () => {
    const { admission, call, calls } = newAdmission();
    await Promise.all(calls("a", 2));
    const abort = new AbortController();
    const over = new Error("over");
    const waiting = call("a", abort.signal);
    abort.abort(over);
    await expect(waiting).rejects.toBe(over);
    expect(admission.state).toEqual({ running: 2, waiting: 0 });
  });
});

/**
 * How many calls of a caller may wait after others of it have waited, one after the other with these pauses in ms.
 * @param beside more calls that wait all the time
 */
function placesAfter(pauses: readonly number[], beside = 0): number {
  const { admission, state, calls } = newAdmission();
  void calls("a", 2);
  const wait = () => void calls("a", 1)[0]?.catch(() => undefined);
  for (let count = 0; count < beside; count += 1) wait();
  for (const pause of [0, ...pauses]) {
    state.now += pause;
    wait();
    admission.leave("a");
  }
  const before = admission.state.waiting;
  try {
    for (;;) {
      admission.check("a");
      wait();
    }
  } catch {
    return admission.state.waiting - before;
  }
}

test.each([
  ["less than a second", [...Array<number>(33).fill(30), 9], 8],
  ["a second", [...Array<number>(33).fill(30), 10], 2],
  ["longer, with a pause of more than 30 ms each time", Array<number>(40).fill(31), 8],
])(
  "a caller whose calls have waited for %s may have as many more waiting as a burst, or as may run",
  (_, pauses, places) => {
    expect(placesAfter(pauses)).toBe(places);
  },
);

test("pauses between new calls of a caller are no calm while others of it wait", () => {
  const pauses = Array<number>(30).fill(40);
  expect(placesAfter(pauses, 1)).toBe(1);
  expect(placesAfter(pauses)).toBe(8);
});

test("a call that is over after it was let in has nothing to do with those who wait", async () => {
  const { admission, call, calls } = newAdmission();
  await Promise.all(calls("a", 2));
  const abort = new AbortController();
  const waited = call("a", abort.signal);
  admission.leave("a");
  await waited;
  abort.abort(new Error("over"));
  expect(admission.state).toEqual({ running: 2, waiting: 0 });
  for (const caller of ["a", "a"]) admission.leave(caller);
  expect(admission.state).toEqual({ running: 0, waiting: 0 });
});

test("a caller may run fewer calls than its share, and have as many under way as its share allows", async () => {
  const { admission, calls } = newAdmission({ calls: 8, callsPerCaller: 4, runningPerCaller: 1 });
  for (const each of calls("a", 20)) each.catch(() => undefined);
  expect(admission.state).toEqual({ running: 1, waiting: 19 });
  expect(refusalOf(() => admission.check("a"))).toEqual(tooMany);
  await Promise.all(calls("b", 1));
  expect(admission.state).toEqual({ running: 2, waiting: 19 });
});

test("a place that nobody had cannot be given back", () => {
  expect(() => newAdmission().admission.leave("a")).toThrow("nobody");
});

describe("what is told of it", () => {
  test("how long calls waited that were let in, and why others were not", async () => {
    const waits: number[] = [];
    const reasons: string[] = [];
    const observer = {
      waited: (seconds: number) => waits.push(seconds),
      refused: (reason: string) => reasons.push(reason),
    };
    const state = { now: 1_000 };
    const admission = new Admission(limits, () => state.now, observer);
    const { signal } = new AbortController();
    for (const caller of ["a", "a", "b", "b"]) expect(admission.enter(caller, signal)).toBeUndefined();
    const waiting = admission.enter("c", signal);
    state.now = 1_250;
    admission.leave("a");
    await waiting;
    expect(waits).toEqual([0.25]);
    const late = Promise.allSettled(Array.from({ length: 8 }, async () => admission.enter("d", signal)));
    await late;
    expect(new Set(reasons)).toEqual(new Set(["waited"]));
    expect(reasons).toHaveLength(8);
    const flood = Array.from({ length: 11 }, async () => admission.enter("e", signal));
    const others = ["f", "g", "h"].flatMap((caller) =>
      Array.from({ length: 4 }, async () => admission.enter(caller, signal)),
    );
    await Promise.allSettled([...flood, ...others]);
    expect(reasons).toContain("client_share");
    expect(reasons).toContain("full");
  });
});
