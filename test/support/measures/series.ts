// Metrics as operators read them.

/** The values of a metric's series, by their labels as they are written, for example `{route="/livez",status="200"}`. */
export async function seriesOf(httpUrl: string, name: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}

/** The sum over the series whose labels hold all of these texts, for example `status="200"`. */
export async function sumOf(httpUrl: string, name: string, ...labels: readonly string[]): Promise<number> {
  const series = [...(await seriesOf(httpUrl, name))];
  return series
    .filter(([own]) => labels.every((label) => own.includes(label)))
    .reduce((sum, [, value]) => sum + value, 0);
}

/** How many calls run, wait to be let in, or wait for an event or another server. */
export function callsInFlight(httpUrl: string, state: "running" | "waiting" | "idle"): Promise<number> {
  return sumOf(httpUrl, "pas_calls_in_flight", `state="${state}"`);
}
