// node test/bench/profile.ts FILE [N]: where a CPU profile's time went, by package and by function.
import { readFileSync } from "node:fs";
import { type CallFrame, packageOf } from "./report/call-frames.ts";
import { printTable } from "./report/table.ts";

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const [file = "", count = "30"] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));

/** Microseconds by what the frames are called. */
function timesBy(nameOf: (frame: CallFrame) => string): [string, number][] {
  const times = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === "(idle)") continue;
    times.set(nameOf(frame), (times.get(nameOf(frame)) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  return [...times].sort(([, one], [, other]) => other - one);
}

function placeOf({ functionName, url, lineNumber }: CallFrame): string {
  return `${functionName || "(anonymous)"} ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}`;
}

function show(title: string, times: readonly [string, number][]): void {
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  const rows = times
    .slice(0, Number(count))
    .map(([name, time]) => [name, (time / 1000).toFixed(0), ((100 * time) / total).toFixed(1)]);
  console.log(printTable({ title, head: ["", "ms", "%"], rows }));
}

show("Self time by package", timesBy(packageOf));
show("Self time by function", timesBy(placeOf));
