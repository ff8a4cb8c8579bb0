// The transports over constant stores, under load.

import { startOptions } from "../../support/processes/command.ts";
import { type Bench, inTurns, nodeOptionsOf } from "../bench.ts";
import type { OperationName, Target, TransportName } from "../load/orders.ts";
import { sampleOf } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import type { ConstantPorts, ConstantServerOptions } from "./constant-server.ts";
import { constantAssessment, sessionId } from "./constant-stores.ts";

/** One turn of one operation through one transport. */
export interface TransportTurn {
  /** Requests a second. */
  readonly rate: number;
  /** CPU µs of the serving process a request. */
  readonly cpu: number;
}

/** The turns by operation and transport, the operation first. */
export type Transports = Readonly<Record<string, readonly TransportTurn[]>>;

type Port = Exclude<keyof ConstantPorts, "token">;

interface Server extends ConstantServerOptions {
  readonly pid: number;
  readonly ports: ConstantPorts;
}

/** Measures the transports that are compared with each other in turns. */
export async function measureTransports(bench: Bench): Promise<Transports> {
  const { options } = bench;
  await using started = new AsyncDisposableStack();
  const start = async (hasQuestions: boolean) => {
    const child = new Child<ConstantServerOptions, ConstantPorts>("test/bench/pipeline/constant-server.ts", [
      ...startOptions(),
      ...nodeOptionsOf(options, hasQuestions ? "transports" : "transports-without-questions"),
    ]);
    started.defer(() => child.stop());
    return { pid: child.pid, hasQuestions, ports: await child.ask({ hasQuestions }) };
  };
  const full = await start(true);
  const empty = await start(false);
  const run = (server: Server, port: Port, transport: TransportName, operation: OperationName) => () =>
    turn(bench, server, { transport, port: server.ports[port], token: server.ports.token }, operation);
  return {
    ...(await inTurns(
      {
        "status REST": run(full, "http", "rest", "status"),
        "status gRPC": run(full, "grpc", "grpc", "status"),
        "status Connect": run(full, "http", "connect", "status"),
      },
      options,
    )),
    ...(await inTurns(
      {
        "record REST": run(full, "http", "rest", "record"),
        "record gRPC": run(full, "grpc", "grpc", "record"),
        "record Connect": run(full, "http", "connect", "record"),
        "record gRPC, Connect's Node handler": run(full, "connectNode", "grpc", "record"),
      },
      options,
    )),
    ...(await inTurns(
      {
        "create REST": run(full, "http", "rest", "create"),
        "create REST without questions": run(empty, "http", "rest", "create"),
        "create gRPC": run(full, "grpc", "grpc", "create"),
        "create gRPC without questions": run(empty, "grpc", "grpc", "create"),
      },
      options,
    )),
  };
}

async function turn(
  { load, options }: Bench,
  { pid, hasQuestions }: Server,
  address: Omit<Target, "sample">,
  operation: OperationName,
): Promise<TransportTurn> {
  const { clients, seconds } = options;
  const before = cpuSeconds(pid);
  const { completed, total, ...report } = await load.ask({
    kind: "operation",
    target: { ...address, sample: sampleOf(constantAssessment(true).open) },
    operation,
    subjects: [sessionId],
    isChecked: hasQuestions,
    clients,
    seconds,
  });
  return { rate: completed / report.seconds, cpu: ((cpuSeconds(pid) - before) * 1e6) / total };
}
