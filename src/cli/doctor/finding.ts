// What a check found.

export interface Finding {
  /** `warn`: it works now, but somebody should look at it. `fail`: the service cannot serve. */
  readonly state: "ok" | "warn" | "fail";
  /** What was checked, in a word or two. */
  readonly about: string;
  /** The finding, and what to do about it, in one sentence. */
  readonly words: string;
}

export const ok = (about: string, words: string): Finding => ({ state: "ok", about, words });
export const warn = (about: string, words: string): Finding => ({ state: "warn", about, words });
export const fail = (about: string, words: string): Finding => ({ state: "fail", about, words });

/** Whether what is sent to the host of a URL stays on this machine. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The findings as lines for people. */
export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  return findings.map(({ state, about, words }) => `${state.padEnd(5)} ${about.padEnd(width)}  ${words}`).join("\n");
}
