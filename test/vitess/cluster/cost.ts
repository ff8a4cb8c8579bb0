// What each part of the cluster and of the service takes of the machine.
import { residentMb } from "../../faults/support/system.ts";
import { cpuSeconds } from "./part.ts";
import type { Stage } from "./stage.ts";

interface Taken {
  readonly mb: number;
  readonly cpu: number;
}

/** Begins to measure. The function that it gives tells of each kind of process memory in MB and processors, of all of the kind. */
export function measureCost(stage: Stage): () => Record<string, string> {
  const before = takenBy(stage);
  const startedAt = performance.now();
  return () => {
    const seconds = (performance.now() - startedAt) / 1000;
    return Object.fromEntries(
      [...takenBy(stage)].map(([kind, taken]) => {
        const sum = (of: (each: Taken) => number) => taken.reduce((total, each) => total + of(each), 0);
        const earlier = before.get(kind)?.reduce((total, { cpu }) => total + cpu, 0) ?? 0;
        const processors = (sum(({ cpu }) => cpu) - earlier) / seconds;
        return [
          kind,
          `${taken.length} × ${(sum(({ mb }) => mb) / taken.length).toFixed(0)} MB, ${processors.toFixed(2)} processors`,
        ];
      }),
    );
  };
}

function takenBy({ cluster, service }: Stage): Map<string, Taken[]> {
  const { etcd, vtctld, vtgate } = cluster.parts;
  const kinds = {
    etcd: [etcd],
    vtctld: [vtctld],
    vtgate: [vtgate],
    vttablet: cluster.tablets.map(({ part }) => part),
    mysqld: cluster.tablets.map(({ mysql }) => mysql),
    core: service.cores,
    gateway: service.gateways,
    deliverer: [service.deliverer],
  };
  return new Map(
    Object.entries(kinds).map(([kind, processes]) => [
      kind,
      processes.map(({ pid }) => ({ mb: residentMb(pid), cpu: cpuSeconds(pid) })),
    ]),
  );
}
