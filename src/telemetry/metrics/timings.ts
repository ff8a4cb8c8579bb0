// A histogram of seconds that is cheap to count in. The library finds buckets by fractions as names of members, which
// takes five times as long, some 25 times an assessment; what it gives to readers is the same here.
import type { Histogram, Registry } from "prom-client";

export interface TimingsOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly registers: readonly Registry[];
}

type Labels = Readonly<Record<string, string>>;
type ReportedMetric = Awaited<ReturnType<Histogram["get"]>>;

interface Example {
  readonly labelSet: Labels;
  readonly value: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

interface Series {
  readonly labels: Labels;
  /** Observations of each bucket alone, the last one without a bound. */
  readonly counts: Float64Array;
  readonly examples: (Example | undefined)[];
  sum: number;
}

export class Timings<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly aggregator = "sum";
  readonly #labelNames: readonly L[];
  readonly #buckets: readonly number[];
  /** As many as labels have values in the code. */
  readonly #series = new Map<string, Series>();

  constructor({ name, help, labelNames, buckets, registers }: TimingsOptions<L>) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    this.#buckets = buckets;
    // Without labels there is one series, and it is exposed from the start.
    if (labelNames.length === 0) this.#seriesOf([]);
    // The library's types list its own classes; its registry asks for no more than there is here.
    for (const registry of registers) registry.registerMetric(this as never);
  }

  /**
   * Counts a duration.
   * @param values one for each label, in the order of their names
   * @param traceId of the trace that it is an example of
   */
  observe(values: readonly string[], seconds: number, traceId?: string): void {
    const series = this.#seriesOf(values);
    let bucket = 0;
    while (bucket < this.#buckets.length && seconds > (this.#buckets[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
    if (traceId === undefined) return;
    series.examples[bucket] = { labelSet: { trace_id: traceId }, value: seconds, timestamp: Date.now() / 1000 };
  }

  /** What the library's own histogram tells. */
  get(): Promise<ReportedMetric> {
    const { name, help, type, aggregator } = this;
    const values = [...this.#series.values()].flatMap((series) => this.#reported(series));
    return Promise.resolve({ name, help, type, aggregator, values } as unknown as ReportedMetric);
  }

  #seriesOf(values: readonly string[]): Series {
    // No value holds a space: they are names of the code.
    const key = values.length === 1 ? (values[0] ?? "") : values.join(" ");
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index] ?? ""]));
      series = { labels, counts: new Float64Array(this.#buckets.length + 1), examples: [], sum: 0 };
      this.#series.set(key, series);
    }
    return series;
  }

  #reported({ labels, counts, examples, sum }: Series) {
    const metricName = `${this.name}_bucket`;
    let count = 0;
    const buckets = [...counts].map((alone, bucket) => {
      count += alone;
      const le = this.#buckets[bucket] ?? "+Inf";
      return { metricName, labels: { le, ...labels }, value: count, exemplar: examples[bucket] };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
