// Events: how late they come, and how many can be announced and delivered.
import type { Bench, SectionResult } from "../bench.ts";
import { measureDeliveries } from "../events/deliveries.ts";
import { measureLag } from "../events/lag.ts";
import { measureSequencing } from "../events/sequencing.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";

/** Measures each part by itself. */
export async function measureEvents(bench: Bench): Promise<SectionResult> {
  const { say } = bench;
  say("  lag");
  const lag = await measureLag(bench);
  say("  sequencer");
  const sequenced = await measureSequencing(bench);
  say("  deliveries");
  const deliveries = await measureDeliveries(bench);
  const { turns } = deliveries;
  const rate = median(turns.map((turn) => turn.rate));
  const cpu = median(turns.map((turn) => turn.cpu));
  const repeated = Math.max(...turns.map((turn) => turn.repeated));
  const disordered = Math.max(...turns.map((turn) => turn.disordered));
  return {
    tables: [
      {
        title: `Lag of the feed at ${figure(lag.rate)} assessments a second, ${lag.events} events`,
        head: ["", "ms"],
        rows: [
          ["p50", figure(lag.p50Ms)],
          ["p99", figure(lag.p99Ms)],
        ],
      },
      { title: "Sequencer alone", head: ["", "a second"], rows: [["events", figure(median(sequenced))]] },
      {
        title: `Webhooks to ${deliveries.endpoints} endpoints, one in 20 hangs, ${deliveries.waiting} wait, three processes`,
        head: ["events", "a second", "CPU µs", "twice", "out of order"],
        rows: [[String(deliveries.events), figure(rate), figure(cpu), String(repeated), String(disordered)]],
      },
    ],
    figures: {
      "events.lag.p50Ms": lag.p50Ms,
      "events.lag.p99Ms": lag.p99Ms,
      "events.sequencer.rate": median(sequenced),
      "events.deliveries.rate": rate,
      "events.deliveries.µs": cpu,
      "events.deliveries.disordered": disordered,
    },
    rounds: { lag, sequenced, deliveries },
  };
}
