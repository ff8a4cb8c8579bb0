// The clock that all processes share follows the database's, whatever happens to the clock of a host.
import { expect, test } from "vitest";
import { type ClockReading, SharedClock } from "../../src/database/clock.ts";

const start = Date.UTC(2026, 10, 20);
const hour = 3_600_000;

/** A shared clock of a host whose own clock, and the passing of time, the test sets. */
function newClock() {
  let system = start;
  let monotonic = 5.25;
  const clock = new SharedClock({ system: () => system, monotonic: () => monotonic });
  const pass = (ms: number) => {
    system += ms;
    monotonic += ms;
  };
  const setBy = (ms: number) => {
    system += ms;
  };
  /** Reads a clock that is so far ahead of the system's, each way taking so long. */
  const read = (ahead: number, there = 0, back = there): ClockReading => {
    const askedAt = monotonic;
    pass(there);
    const time = Math.floor(system + ahead);
    pass(back);
    return { time, askedAt, answeredAt: monotonic };
  };
  return { clock, pass, setBy, read, system: () => system };
}

test("the clock is that of the host before the first reading, and keeps nothing of it afterwards", () => {
  const { clock, setBy } = newClock();
  expect(clock.now()).toBe(start);
  setBy(hour);
  expect(clock.now()).toBe(start + hour);
  setBy(-hour);
  expect(clock.now()).toBe(start);
});

test("the clock returns whole milliseconds of the time that was read, and advances as time passes", () => {
  const { clock, pass, read } = newClock();
  clock.addReading(read(4000));
  expect(clock.now()).toBe(start + 4000);
  pass(1500.5);
  expect(clock.now()).toBe(start + 5501);
});

test("a reading counts for the middle of its round trip", () => {
  const { clock, read } = newClock();
  clock.addReading(read(0, 100));
  expect(clock.now()).toBe(start + 200);
});

test.each([hour, -hour, 24 * hour, -1])("a step of the host's clock by %i ms changes nothing", (step) => {
  const { clock, pass, setBy, read } = newClock();
  clock.addReading(read(0));
  setBy(step);
  pass(10);
  expect(clock.now()).toBe(start + 10);
  clock.addReading(read(-step));
  expect(clock.now()).toBe(start + 10);
});

test("answers that are late on either way do not make the clock step", () => {
  const { clock, read, system } = newClock();
  clock.addReading(read(0, 1));
  for (const [there, back] of [
    [0, 900],
    [900, 0],
    [450, 450],
  ] as const) {
    clock.addReading(read(0, there, back));
    expect(Math.abs(clock.now() - system())).toBeLessThanOrEqual(1);
  }
});

test("the clock never goes back, as long as the clock that is read does not step", () => {
  const { clock, pass, read } = newClock();
  clock.addReading(read(0, 1));
  let last = clock.now();
  for (let count = 0; count < 500; count += 1) {
    clock.addReading(read(0, (count * 7) % 13, (count * 11) % 17));
    expect(clock.now()).toBeGreaterThanOrEqual(last);
    last = clock.now();
    pass(0.4);
  }
});

test.each([4_000, -4_000])(
  "a reading that proves the clock wrong by %i ms corrects it, in either direction",
  (step) => {
    const { clock, read, system } = newClock();
    clock.addReading(read(0));
    clock.addReading(read(step, 50));
    const wrongBy = clock.now() - (system() + step);
    expect(Math.abs(wrongBy)).toBeLessThanOrEqual(51);
    clock.addReading(read(step));
    expect(Math.abs(clock.now() - (system() + step))).toBeLessThanOrEqual(1);
  },
);

test("nothing may be removed before the first reading", () => {
  expect(newClock().clock.describeFault()).toBe("The clock of the database was not read yet.");
});

const ahead6 = "The clock of this host is 6 s ahead of the database's; synchronize both, with NTP for example.";
const behind6 = "The clock of this host is 6 s behind the database's; synchronize both, with NTP for example.";

test.each([
  ["agree", 0, 0, 0, undefined],
  ["agree, as far as a slow answer can tell", 0, 0, 9000, undefined],
  ["agree, as far as a slow question can tell", 0, 9000, 0, undefined],
  ["differ by just what is allowed", 5000, 0, 0, undefined],
  ["differ, the host's ahead", -6000, 0, 0, ahead6],
  ["differ, the host's behind", 6000, 0, 0, behind6],
  ["may agree, by what a slow reading proves", -6000, 1500, 500, undefined],
])("clocks that %s", (_, ahead, there, back, expected) => {
  const { clock, read } = newClock();
  clock.addReading(read(ahead, there, back));
  expect(clock.describeFault()).toBe(expected);
});

test.each([hour, -hour])(
  "while the clocks differ by %i ms, the clock runs on as before, and then follows again",
  (step) => {
    const { clock, pass, setBy, read } = newClock();
    clock.addReading(read(0));
    clock.addReading(read(step));
    pass(10);
    expect(clock.now()).toBe(start + 10);
    expect(clock.describeFault()).toBeDefined();
    setBy(step);
    clock.addReading(read(0));
    expect(clock.describeFault()).toBeUndefined();
    expect(Math.abs(clock.now() - (start + step + 10))).toBeLessThanOrEqual(1);
  },
);
