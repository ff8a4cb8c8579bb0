// Whole assessments through several services, in turns of one run, held against one of them.
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { cpuSeconds, residentBytes } from "../servers/process-usage.ts";
import type { Service } from "../servers/service.ts";

const measures = ["rate", "p99Ms", "cpu", "residentMb"] as const;

/** One turn of a service. */
type Turn = Readonly<Record<(typeof measures)[number], number>>;

/**
 * Measures the services over the transports of the options.
 * @param reference name of the one that the others are held against
 * @param section begins the names of the figures
 */
export async function measureServices<N extends string>(
  { options, load }: Bench,
  services: Readonly<Record<N, Service>>,
  reference: NoInfer<N>,
  section: string,
): Promise<SectionResult> {
  const { clients, seconds } = options;
  const names = Object.keys(services) as N[];
  const rows: string[][] = [];
  const figures: Record<string, number> = {};
  const rounds: Record<string, unknown> = {};
  for (const transport of options.transports) {
    const turn = (name: N) => async (): Promise<Turn> => {
      const { pid, target } = services[name];
      const before = cpuSeconds(pid);
      const report = await load.ask({ target: target(transport), clients, seconds });
      return {
        rate: report.completed / report.seconds,
        p99Ms: report.p99Ms,
        cpu: ((cpuSeconds(pid) - before) * 1e6) / report.total,
        residentMb: residentBytes(pid) / 1e6,
      };
    };
    const turns = Object.fromEntries(names.map((name) => [name, turn(name)])) as Record<N, () => Promise<Turn>>;
    const turnValues = await inTurns(turns, options);
    rounds[transport] = turnValues;
    const valuesOf = (name: N, what: keyof Turn) => turnValues[name].map((each) => each[what]);
    const compareMeasure = (name: N, what: keyof Turn) => medianRatio(valuesOf(name, what), valuesOf(reference, what));
    for (const name of names) {
      rows.push([transport, name, ...measures.map((what) => figure(median(valuesOf(name, what))))]);
    }
    for (const name of names.filter((each) => each !== reference)) {
      rows.push([transport, `${name} / ${reference}`, ...measures.map((what) => ratio(compareMeasure(name, what)))]);
      for (const what of measures) figures[`${section}.${transport}.${name}.${what}`] = compareMeasure(name, what);
    }
  }
  const head = ["", "", "a second", "p99 ms", "CPU µs", "resident MB"];
  return { tables: [{ title: `Whole assessments, ${clients} clients`, head, rows }], figures, rounds };
}
