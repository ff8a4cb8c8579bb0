// Streams of one kind, and the memory that they hold: so much for each key, which is a network or a client, and so much
// together. A new stream always has room. Where there is none, the oldest stream of the key gives way, or of the key
// that holds most. A caller who means well is done soon, so that it is not the one who gives way.
import type { ServerHttp2Stream } from "node:http2";

export interface PoolBounds {
  /** Bytes that a stream counts as, beside what it holds of its caller's. */
  readonly streamBytes: number;
  /** Most bytes of one key. */
  readonly keyBytes: number;
  /** Most bytes of all keys together. */
  readonly totalBytes: number;
  /** A stream ends after so many milliseconds. */
  readonly maxAgeMs: number;
}

/** Why a stream had to end: its key holds too much, all keys do, or it was too old. */
export type CutReason = "key" | "total" | "age";

/** Calls a task once, after so many milliseconds. @returns what cancels that */
export type After = (ms: number, task: () => void) => () => void;

interface Held {
  readonly key: string;
  readonly bytes: number;
  readonly forget: () => void;
  cut: () => void;
}

interface Holder {
  bytes: number;
  /** In the order in which they came. */
  readonly streams: Set<ServerHttp2Stream>;
}

export class StreamPool {
  readonly #bounds: PoolBounds;
  readonly #after: After;
  readonly #cut: (stream: ServerHttp2Stream) => void;
  readonly #observe: (reason: CutReason) => void;
  readonly #held = new Map<ServerHttp2Stream, Held>();
  readonly #holders = new Map<string, Holder>();
  #bytes = 0;

  /**
   * @param cut ends a stream, which is no longer held
   * @param observe notified of every stream that has to end
   */
  constructor(
    bounds: PoolBounds,
    after: After,
    cut: (stream: ServerHttp2Stream) => void,
    observe: (reason: CutReason) => void,
  ) {
    this.#bounds = bounds;
    this.#after = after;
    this.#cut = cut;
    this.#observe = observe;
  }

  /** Bytes that are held now. */
  get bufferedBytes(): number {
    return this.#bytes;
  }

  /** Holds a stream until it is closed, or leaves. @param bytes of its caller's that it holds */
  enter(stream: ServerHttp2Stream, key: string, bytes: number): void {
    if (stream.destroyed || this.#held.has(stream)) return;
    const { streamBytes, keyBytes, totalBytes, maxAgeMs } = this.#bounds;
    const cost = streamBytes + bytes;
    while (this.#bytesOf(key) + cost > keyBytes && this.#cutOldest(key, "key"));
    while (this.#bytes + cost > totalBytes && this.#cutOldest(this.#largest(), "total"));
    const leave = () => this.leave(stream);
    const cancel = this.#after(maxAgeMs, () => this.#end(stream, "age"));
    const forget = () => {
      cancel();
      stream.off("close", leave);
    };
    stream.once("close", leave);
    this.#held.set(stream, { key, bytes: cost, forget, cut: () => this.#cut(stream) });
    const holder = this.#holders.get(key) ?? { bytes: 0, streams: new Set() };
    this.#holders.set(key, holder);
    holder.streams.add(stream);
    holder.bytes += cost;
    this.#bytes += cost;
  }

  /** Ends a stream that is held in a way of its own, if it has to end. */
  cutBy(stream: ServerHttp2Stream, cut: () => void): void {
    const held = this.#held.get(stream);
    if (held !== undefined) held.cut = cut;
  }

  /** Holds a stream no longer. */
  leave(stream: ServerHttp2Stream): void {
    const held = this.#held.get(stream);
    if (held === undefined) return;
    held.forget();
    this.#held.delete(stream);
    this.#bytes -= held.bytes;
    const holder = this.#holders.get(held.key);
    if (holder === undefined) return;
    holder.streams.delete(stream);
    holder.bytes -= held.bytes;
    if (holder.streams.size === 0) this.#holders.delete(held.key);
  }

  #bytesOf(key: string): number {
    return this.#holders.get(key)?.bytes ?? 0;
  }

  /** The key that holds most. There are no more keys than streams fit into the pool. */
  #largest(): string {
    let largest = "";
    let most = 0;
    for (const [key, { bytes }] of this.#holders) {
      if (bytes > most) [largest, most] = [key, bytes];
    }
    return largest;
  }

  #cutOldest(key: string, reason: CutReason): boolean {
    const [oldest] = this.#holders.get(key)?.streams ?? [];
    if (oldest === undefined) return false;
    this.#end(oldest, reason);
    return true;
  }

  #end(stream: ServerHttp2Stream, reason: CutReason): void {
    const held = this.#held.get(stream);
    this.leave(stream);
    this.#observe(reason);
    held?.cut();
  }
}
