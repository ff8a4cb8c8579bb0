// Keeps the audit log as long as it is promised, and no longer. What is removed is announced by an anchor before, so that
// nobody else can remove anything unseen.

import { type AnchorDeps, addAnchor, anchorHash, anchorsStart, maxAnchored } from "./anchors.ts";
import type { Anchor, Chain } from "./audit-port.ts";
import { chainLifetimeMs } from "./trail.ts";
import { isSame, pageSize, pages } from "./verify-anchors.ts";

const batch = 1_000;
const dayMs = 24 * 60 * 60 * 1000;
/** A chain gets its id in the moment in which it begins. */
const idSlackMs = 60_000;

/**
 * Removes chains whose last record is older than so many days, and the anchors that hold nothing else, batch by batch,
 * until none is left or the signal aborts. Throws if what it goes by was touched: else whoever writes an old time beside a
 * new record would have it removed, and announced by the service itself.
 */
export async function expireAudit(deps: AnchorDeps, retentionDays: number, signal: AbortSignal): Promise<void> {
  const { audit, clock } = deps;
  const chainsBefore = new Date(clock() - retentionDays * dayMs - chainLifetimeMs);
  // An anchor that says that a chain has ended is younger than every record of it by that time.
  const anchorsBefore = new Date(chainsBefore.getTime() - chainLifetimeMs);
  while (!signal.aborted) {
    const chains = await audit.listChainsBefore(chainsBefore, maxAnchored, signal);
    const young = await audit.findFirstAnchorSince(anchorsBefore, signal);
    chains.forEach(requireItsTime);
    await requireUntouched(deps, young, signal);
    const first = await firstKept(deps, young, signal);
    if (!(await announce(deps, chains, first, signal))) return;
    for (const { writer } of chains) {
      while (!signal.aborted && !(await audit.removeRecords(writer, batch, signal)));
    }
    while (!signal.aborted && (await audit.removeAnchors(first, batch, signal)) === batch);
    if (chains.length < maxAnchored) return;
  }
}

/** The id, which every hash of the chain holds, begins with the time (UUIDv7). */
function requireItsTime({ writer, startedAt }: Chain): void {
  const time = Number.parseInt(writer.replaceAll("-", "").slice(0, 12), 16);
  if (time - startedAt.getTime() <= idSlackMs) return;
  throw new Error(`the chain ${writer} of the audit log began later than its row says`);
}

/**
 * The hash before the oldest anchor is gone, so its time may be anyone's: it is old for certain only if the one behind it
 * is. @param young the first anchor that is too young to be removed
 */
async function firstKept({ audit }: AnchorDeps, young: number, signal: AbortSignal): Promise<number> {
  const [oldest] = await audit.listAnchors(0, 1, signal);
  return oldest?.sequence === young - 1 ? oldest.sequence : young;
}

/** The anchors that are removed, and the one behind them, follow each other, from the start if that is still there. */
async function requireUntouched({ audit }: AnchorDeps, first: number, signal: AbortSignal): Promise<void> {
  let before: Anchor | undefined;
  for await (const anchor of pages((after) => audit.listAnchors(after, pageSize, signal))) {
    const { sequence, hash } = anchor;
    if (sequence > first) return;
    const hashBefore = sequence === 1 ? anchorsStart : before?.hash;
    if (hashBefore !== undefined && !isSame(anchorHash(hashBefore, anchor), hash)) {
      throw new Error(`the anchor ${sequence} of the audit log is not what was written`);
    }
    before = anchor;
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
