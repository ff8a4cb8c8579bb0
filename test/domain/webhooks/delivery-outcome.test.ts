// What becomes of a delivery and its endpoint, over many attempts.
import { expect, test } from "vitest";
import type { SendResult } from "../../../src/domain/webhooks/deliveries.ts";
import {
  computeMaxConcurrent,
  type EndpointHealth,
  settleAttempt,
} from "../../../src/domain/webhooks/delivery-outcome.ts";
import { at } from "../../support/builders.ts";

const day = 24 * 60 * 60_000;
const now = at(0).getTime();
const databaseNow = at(1);
const healthy: EndpointHealth = {
  failures: 0,
  failingSince: null,
  pausedUntil: null,
  disabledReason: null,
  lastAnswered: "yes",
};

/** What one attempt leaves that is refused, unless it is said to be otherwise. */
function after(
  result: Partial<SendResult> = {},
  {
    attempts = 0,
    isTrusted = true,
    fraction = 0.5,
    ...health
  }: Partial<EndpointHealth> & {
    readonly attempts?: number;
    readonly isTrusted?: boolean;
    readonly fraction?: number;
  } = {},
) {
  const whole = { status: 500, error: null, tookMs: 3, retryAfterSeconds: null, ...result };
  return settleAttempt(attempts, { ...healthy, ...health }, whole, {
    now,
    databaseNow,
    isTrusted,
    drawFraction: () => fraction,
  });
}

/** Seconds for which the endpoint is left alone; null: it is not. */
const restSeconds = ({ health: { pausedUntil } }: ReturnType<typeof after>) =>
  pausedUntil === null ? null : (pausedUntil.getTime() - now) / 1000;
const asItWas = (attempts: number) => ({ attempts, nextAt: databaseNow, deadAt: null });

test("an endpoint that is down is left alone, longer after each probe, and no event loses an attempt", () => {
  const rests = [2, 3, 4, 5, 6, 7, 8, 9, 10, 60].map((failures) => restSeconds(after({}, { failures })));
  expect(rests).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
  for (const attempts of [0, 4]) {
    const { delivery, health } = after({}, { failures: 3, attempts });
    expect([delivery, health.failures]).toEqual([asItWas(attempts), 4]);
  }
});

test("an endpoint is down after three first attempts, and never for further ones", () => {
  expect([after({}, { failures: 1 }), after({}, { failures: 2 })].map(restSeconds)).toEqual([null, 10]);
  const again = after({}, { failures: 2, attempts: 1 });
  expect([again.health.failures, restSeconds(again), again.delivery?.attempts]).toEqual([2, null, 2]);
});

test("an accepted event leaves nothing, and ends the failures and the pause of an endpoint that was down", () => {
  const failing = { failures: 4, failingSince: at(0), pausedUntil: at(60), lastAnswered: "no" } as const;
  for (const status of [200, 204, 299]) {
    expect(after({ status }, failing)).toEqual({ delivery: undefined, health: healthy });
  }
  // Whoever asked for time has it.
  expect(after({ status: 204 }, { pausedUntil: at(60) }).health.pausedUntil).toEqual(at(60));
});

test("what was not sent says nothing of its endpoint: it is sent again, or parked if it cannot be described", () => {
  const about = { status: null, tookMs: 0 };
  expect(after({ ...about, error: "stopped" }, { attempts: 2 })).toEqual({ delivery: asItWas(2), health: healthy });
  const later = after({ ...about, error: "unavailable" }, { attempts: 2 });
  expect(later).toEqual({ delivery: { ...asItWas(2), nextAt: at(5_001) }, health: healthy });
  const parked = after({ ...about, error: "undescribable" }, { attempts: 2 });
  expect(parked).toEqual({ delivery: { attempts: 3, nextAt: null, deadAt: at(0) }, health: healthy });
  const unreadable = after({ ...about, error: "secret_unreadable" });
  expect([unreadable.delivery, unreadable.health.failures]).toEqual([asItWas(0), 0]);
  expect(restSeconds(unreadable)).toBe(60);
});

test("an endpoint that answers 410 is disabled at once, and its event waits as it is", () => {
  const { delivery, health } = after({ status: 410, retryAfterSeconds: 9 });
  expect([delivery, health]).toEqual([asItWas(0), { ...healthy, disabledReason: "gone" }]);
});

test.each([
  [429, 0, null, 5],
  [503, 0, null, 5],
  [429, 1, 1, 5],
  [503, 30, 30, 30],
  [429, 3_600, 3_600, 3_600],
  [429, null, null, 5],
  [500, 30, null, 5],
  [404, 30, null, 5],
] as const)(
  "a response %d with Retry-After %s is a failure that pauses its endpoint for %s seconds, and its event for %i",
  (status, retryAfterSeconds, rest, pause) => {
    const outcome = after({ status, retryAfterSeconds });
    expect(restSeconds(outcome)).toBe(rest);
    expect(outcome.delivery).toEqual({ attempts: 1, nextAt: at(1_000 * pause), deadAt: null });
    expect(outcome.health).toMatchObject({ failures: 1, failingSince: at(0), lastAnswered: "yes" });
  },
);

test("an endpoint that always asks for time is down after three events, disabled after five days, and its events die", () => {
  const asks = { status: 429, retryAfterSeconds: 0 };
  expect([2, 3, 4].map((failures) => restSeconds(after(asks, { failures })))).toEqual([10, 20, 40]);
  expect(restSeconds(after({ ...asks, retryAfterSeconds: 600 }, { failures: 2 }))).toBe(600);
  const failingSince = new Date(now - 5 * day);
  expect(after(asks, { failures: 9, failingSince }).health.disabledReason).toBe("failing");
  expect(after({ ...asks, retryAfterSeconds: 600 }, { attempts: 9 }).delivery?.deadAt).toEqual(at(0));
});

test("an event is tried ten times, each a little earlier or later than its time, and is dead afterwards", () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440];
  for (const [fraction, factor] of [
    [0, 0.8],
    [0.5, 1],
    [255 / 256, 0.8 + (0.4 * 255) / 256],
  ] as const) {
    for (const [attempts, pause] of minutes.entries()) {
      const { delivery } = after({}, { attempts, fraction });
      expect(delivery).toMatchObject({ attempts: attempts + 1, deadAt: null });
      expect(((delivery?.nextAt?.getTime() ?? 0) - now) / 60_000).toBeCloseTo(pause * factor, 4);
    }
  }
  expect(after({}, { attempts: 9 }).delivery).toEqual({ attempts: 10, nextAt: null, deadAt: at(0) });
});

test("an endpoint is disabled after five days and ten failures, both, by a clock that is trusted", () => {
  const lease = { failures: 9, failingSince: new Date(now - 5 * day) };
  const disabled = (more: Parameters<typeof after>[1]) => {
    const outcome = after({}, { ...lease, ...more });
    return [outcome.health.disabledReason, restSeconds(outcome)];
  };
  expect(disabled({})).toEqual(["failing", null]);
  expect(disabled({ failures: 8 })).toEqual([null, 600]);
  expect(disabled({ failingSince: new Date(now - 5 * day + 1) })).toEqual([null, 600]);
  expect(disabled({ failingSince: null })).toEqual([null, 600]);
  expect(disabled({ isTrusted: false })).toEqual([null, 600]);
});

test("an endpoint counts as failing since its first failure, until it accepts an event", () => {
  const first = after().health;
  expect(first.failingSince).toEqual(at(0));
  expect(after({}, { ...first, failingSince: at(-60) }).health.failingSince).toEqual(at(-60));
  expect(after({ status: 204 }, first).health.failingSince).toBeNull();
});

test("an endpoint gets four events at a time while it answers and accepts them, else one", () => {
  const widths = [{ status: 204 }, { status: 500 }, { status: null, error: "timeout" }].map((result) =>
    computeMaxConcurrent(after(result).health),
  );
  expect(widths).toEqual([4, 1, 1]);
  expect(computeMaxConcurrent({ failures: 0, lastAnswered: "unknown" })).toBe(1);
  expect(after({ status: null, error: "timeout" }, { attempts: 1 }).health).toMatchObject({
    failures: 0,
    lastAnswered: "no",
  });
});
