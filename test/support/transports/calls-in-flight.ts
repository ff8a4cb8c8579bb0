// The gauge of calls in flight, as operators read it.

/** How many calls run, wait to be let in, or wait for an event or another server, at the service that listens there. */
export async function callsInFlight(httpUrl: string, state: "running" | "waiting" | "idle"): Promise<number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return Number(new RegExp(`^pas_calls_in_flight\\{state="${state}"\\} (\\d+)`, "m").exec(text)?.[1]);
}
