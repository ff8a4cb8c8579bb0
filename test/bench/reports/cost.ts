// What a call costs, measured from within a process that does nothing else.

/** CPU µs a call of each task, by round. The tasks take turns; a first turn of each warms up. */
export async function costsOf<N extends string>(
  tasks: Readonly<Record<N, () => unknown>>,
  { rounds, calls }: { rounds: number; calls: number },
): Promise<Record<N, number[]>> {
  const names = Object.keys(tasks) as N[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const task = tasks[name];
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) await task();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) costs[name].push((user + system) / calls);
    }
  }
  return costs;
}
