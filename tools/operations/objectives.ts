// What the service promises over 30 days, and how fast the promise may be used up before somebody is told.

/** A promise: of `calls`, at most `budget` are bad. */
export interface Objective {
  readonly name: string;
  /** What is wrong when it burns, for whoever is told. */
  readonly summary: string;
  /** Share of calls that may be bad. */
  readonly budget: number;
  /** Bad calls a second within a window such as `5m`, in PromQL. */
  readonly bad: (window: string) => string;
  /** All calls a second that it is about. */
  readonly calls: (window: string) => string;
}

/**
 * How fast a budget burns: 1 uses it up in 30 days. Both windows have to agree, so that an alert ends soon after its
 * cause.
 */
export interface Burn {
  readonly rate: number;
  readonly short: string;
  readonly long: string;
  readonly severity: "page" | "ticket";
}

/** After the Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts". */
export const burns: readonly Burn[] = [
  { rate: 14.4, short: "5m", long: "1h", severity: "page" },
  { rate: 6, short: "30m", long: "6h", severity: "page" },
  { rate: 3, short: "2h", long: "1d", severity: "ticket" },
  { rate: 1, short: "6h", long: "3d", severity: "ticket" },
];

/** Every window that the burns look at, the shortest first. */
export const windows = ["5m", "30m", "1h", "2h", "6h", "1d", "3d"] as const;

/** Below so many calls a second one bad call would burn a budget by itself. */
export const minCallsPerSecond = 0.1;

const failures = 'outcome=~"internal|unavailable|deadline_exceeded"';
/** An edge of the histogram's buckets, in seconds. */
const slow = "0.25";

/** Calls that may wait for an event are not slow: as Kubernetes leaves watches out of its objectives. */
export const withoutWaits = 'rpc!~"EventService/.*"';

const series = (name: string, labels: readonly string[], window: string) =>
  `sum(rate(${name}{${labels.join(",")}}[${window}]))`;

function createObjectives(name: string, whose: string, transport: string): readonly Objective[] {
  const all = (window: string) => series("pas_calls_seconds_count", [transport], window);
  const goodLabels = [transport, 'outcome="ok"', withoutWaits];
  const good = (window: string) => series("pas_calls_seconds_count", goodLabels, window);
  const fast = (window: string) => series("pas_calls_seconds_bucket", [...goodLabels, `le="${slow}"`], window);
  return [
    {
      name: `${name}-availability`,
      summary: `${whose} fail: more than 0.1 % of 30 days end in internal, unavailable or deadline_exceeded at this pace.`,
      budget: 0.001,
      // None may have failed ever, which is 0 and not nothing.
      bad: (window) => `(${series("pas_calls_seconds_count", [transport, failures], window)} or vector(0))`,
      calls: all,
    },
    {
      name: `${name}-latency`,
      summary: `${whose} are slow: more than 1 % of 30 days take over 250 ms at this pace.`,
      budget: 0.01,
      bad: (window) => `(${good(window)} - ${fast(window)})`,
      calls: good,
    },
  ];
}

export const objectives: readonly Objective[] = [
  ...createObjectives("api", "Calls of partners and services", 'transport!="web"'),
  ...createObjectives("hosted", "Hosted pages", 'transport="web"'),
];
