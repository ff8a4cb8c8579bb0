// The numbers of a run. They are printed, never judged: a busy machine must not fail a test of correctness.

/** Prints a line of figures. */
export function report(what: string, figures: Readonly<Record<string, unknown>>): void {
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${show(value)}`);
  process.stdout.write(`  ${what}: ${parts.join(", ")}\n`);
}

function show(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(1);
  return typeof value === "string" ? value : JSON.stringify(value);
}
