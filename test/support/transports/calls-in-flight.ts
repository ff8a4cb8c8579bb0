// The gauge of calls in flight, as operators read it.

/** How many calls run, or wait to be let in, at the service that listens there. */
export async function callsInFlight(httpUrl: string, state: "running" | "waiting"): Promise<number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return Number(new RegExp(`^pas_calls_in_flight\\{state="${state}"\\} (\\d+)`, "m").exec(text)?.[1]);
}
