// The numbers of a run. They are printed, never judged: a busy machine must not fail a test of correctness.
import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { means } from "./means.ts";

/** Reports a line of figures, with the group that the running test belongs to. */
export function report(what: string, figures: Readonly<Record<string, unknown>>): void {
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${show(value)}`);
  const names = (expect.getState().currentTestName ?? "").split(" > ");
  const where = names.length > 1 ? `${names[0]}, ` : "";
  write(`  ${where}${what}: ${parts.join(", ")}\n`);
}

/** Reports what could not be tested here, and why. */
export function reportMissing(what: string): void {
  write(`!!! NOT TESTED: ${what}\n`);
}

function write(line: string): void {
  const file = means("FAULTS_REPORT");
  if (file === "") process.stdout.write(line);
  else appendFileSync(file, line);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(" / ");
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(1);
  return typeof value === "string" ? value : JSON.stringify(value);
}
