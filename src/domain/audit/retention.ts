// Keeps the audit log as long as it is promised, and no longer. What is removed is announced by an anchor before, so that
// nobody else can remove anything unseen.
import type { Chain } from "../ports/audit.ts";
import { type AnchorDeps, addAnchor, maxAnchored } from "./anchors.ts";
import { chainLifetimeMs } from "./trail.ts";

const batch = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Removes chains whose last record is older than so many days, and the anchors that hold nothing else, batch by batch,
 * until none is left or the signal aborts.
 */
export async function expireAudit(deps: AnchorDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const { audit, clock } = deps;
  const chainsBefore = new Date(clock() - retentionDays * dayMs - chainLifetimeMs);
  // An anchor that says that a chain has ended is younger than every record of it by that time.
  const anchorsBefore = new Date(chainsBefore.getTime() - chainLifetimeMs);
  while (!signal.aborted) {
    const chains = await audit.listChainsBefore(chainsBefore, maxAnchored, signal);
    const first = await audit.findFirstAnchorSince(anchorsBefore, signal);
    if (!(await announce(deps, chains, first, signal))) return;
    for (const { writer } of chains) {
      while (!signal.aborted && !(await audit.removeRecords(writer, batch, signal)));
    }
    while (!signal.aborted && (await audit.removeAnchors(first, batch, signal)) === batch);
    if (chains.length < maxAnchored) return;
  }
}

/** False: there is nothing to remove, or another process is at it. */
async function announce(
  deps: AnchorDeps,
  chains: readonly Chain[],
  first: number,
  signal: AbortSignal,
): Promise<boolean> {
  const [oldest] = await deps.audit.listAnchors(0, 1, signal);
  if (chains.length === 0 && (oldest === undefined || oldest.sequence >= first)) return false;
  const ended = chains.map(({ writer }) => writer);
  return (
    (await addAnchor(deps, (before) => ({ heads: [], ended, first: Math.max(before?.first ?? 1, first) }), signal)) !==
    undefined
  );
}
