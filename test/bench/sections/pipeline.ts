// The pipeline alone: the store is a constant, so what is left is interceptors, transports, scoring and answers.

import { startOptions } from "../../support/processes/command.ts";
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { InProcessCosts, InProcessOrder } from "../pipeline/in-process.ts";
import { measureTransports, type Transports, type TransportTurn } from "../pipeline/transports.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, type Table } from "../report/table.ts";
import { Child } from "../servers/child.ts";

/** Measures within a process, then transports in turns with a load process. */
export async function measurePipeline(bench: Bench): Promise<SectionResult> {
  const costs = await measureInProcess(bench);
  const transports = await measureTransports(bench);
  const inProcess = inProcessFigures(costs);
  return {
    tables: [inProcessTable(inProcess), transportTable(transports, costs)],
    figures: { ...inProcess, ...transportFigures(transports) },
    rounds: { costs, transports },
  };
}

async function measureInProcess({ options }: Bench): Promise<InProcessCosts> {
  const child = new Child<InProcessOrder, InProcessCosts>("test/bench/pipeline/in-process.ts", [
    ...startOptions(),
    ...nodeOptionsOf(options, "pipeline"),
  ]);
  try {
    return await child.ask({ rounds: options.rounds, calls: options.calls });
  } finally {
    await child.stop();
  }
}

function inProcessFigures({ status, record, alone }: InProcessCosts) {
  const over = (pair: InProcessCosts["record"], kind: "message" | "fields") =>
    median(pair[`${kind} interceptors`].map((cost, round) => cost - (pair[`${kind} bare`][round] ?? Number.NaN)));
  const interceptors = {
    "pipeline.interceptors.status.message.µs": over(status, "message"),
    "pipeline.interceptors.status.fields.µs": over(status, "fields"),
    "pipeline.interceptors.record.message.µs": over(record, "message"),
    "pipeline.interceptors.record.fields.µs": over(record, "fields"),
  };
  return {
    "pipeline.implementation.status.µs": median(status["message bare"]),
    "pipeline.implementation.record.µs": median(record["message bare"]),
    ...interceptors,
    "pipeline.interceptors.µs": Math.max(...Object.values(interceptors)),
    "pipeline.scoring.µs": median(alone.scoring),
    "pipeline.quality.µs": median(alone.quality),
    "pipeline.answers.µs": median(alone.answers),
  };
}

function inProcessTable(figures: Readonly<Record<string, number>>): Table {
  const rows = Object.entries(figures).map(([name, value]) => [name.split(".").slice(1, -1).join(", "), figure(value)]);
  return { title: "Within the process, CPU µs a call (interceptors: over the implementation)", head: ["", "µs"], rows };
}

function transportTable(transports: Transports, { status, record }: InProcessCosts): Table {
  const calls: Readonly<Record<string, number>> = {
    status: median(status["message interceptors"]),
    record: median(record["message interceptors"]),
  };
  return {
    title: "Transports over the constant store",
    head: ["", "a second", "CPU µs", "over the call"],
    rows: Object.entries(transports).map(([name, turns]) => {
      const cpu = median(turns.map((each) => each.cpu));
      const call = calls[name.split(" ", 1)[0] ?? ""] ?? Number.NaN;
      return [name, figure(median(turns.map(({ rate }) => rate))), figure(cpu), figure(cpu - call)];
    }),
  };
}

function transportFigures(transports: Transports): Record<string, number> {
  const compared = (name: string, reference: string, what: keyof TransportTurn) => {
    const valuesOf = (of: string) => (transports[of] ?? []).map((each) => each[what]);
    return medianRatio(valuesOf(name), valuesOf(reference));
  };
  return {
    "pipeline.grpc.rate/connectNode": compared("record gRPC", "record gRPC, Connect's Node handler", "rate"),
    "pipeline.grpc.cpu/connectNode": compared("record gRPC", "record gRPC, Connect's Node handler", "cpu"),
    "pipeline.create.rest.with/without": compared("create REST", "create REST without questions", "rate"),
    "pipeline.create.grpc.with/without": compared("create gRPC", "create gRPC without questions", "rate"),
  };
}
