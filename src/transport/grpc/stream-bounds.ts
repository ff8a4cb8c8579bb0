// What bounds every stream of the gRPC port: which pool holds it, from its headers on, and how much that takes.
import type { ServerHttp2Stream } from "node:http2";
import type * as grpc from "@grpc/grpc-js";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { abandon, endWith } from "./close-call.ts";
import { toGrpcStatus } from "./status.ts";
import { type After, type CutReason, type PoolBounds, StreamPool } from "./stream-pool.ts";

/**
 * Most bytes of the headers of a stream, counted as HTTP/2 does: names, values and 32 for each. Over HTTP they have
 * 16 KiB, and a gateway of its own adds some to those that it passes on.
 */
export const maxHeaderListBytes = 20 * 1024;

const kib = 1 << 10;
const mib = 1 << 20;

/** What the streams of each pool may hold. */
export const streamBounds = {
  /** Calls whose message has not arrived, and whole calls of health but for `Watch`. By network. */
  calls: { streamBytes: 8 * kib, keyBytes: 8 * mib, totalBytes: 32 * mib, maxAgeMs: 60_000 },
  /** `Watch` of health: 128 of a network, 2,048 together. */
  watches: { streamBytes: 8 * kib, keyBytes: mib, totalBytes: 16 * mib, maxAgeMs: 600_000 },
  /** Reflection: 16 streams of a network, 256 together. A stream counts as the longest answer that it may hold. */
  reflection: { streamBytes: 64 * kib, keyBytes: mib, totalBytes: 16 * mib, maxAgeMs: 60_000 },
  /** Responses that were not taken yet. By client, or by network for callers without one. */
  responses: { streamBytes: 8 * kib, keyBytes: 16 * mib, totalBytes: 64 * mib, maxAgeMs: 60_000 },
} as const satisfies Record<string, PoolBounds>;

export type PoolName = keyof typeof streamBounds;

/** Why streams end before their time; made once, since a flood causes many. */
const retryAfterSeconds = 1;
const outOfRoom = new Refusal("unavailable", "Others needed the room before the message came. Make the call again.", {
  retryAfterSeconds,
});
const outOfTime = new Refusal("unavailable", "This stream had its time. Open another one.", { retryAfterSeconds });

export class StreamPools {
  readonly calls: StreamPool;
  readonly watches: StreamPool;
  readonly reflection: StreamPool;
  readonly responses: StreamPool;

  /** @param observe notified of every stream that had to end */
  constructor(after: After = systemAfter, observe: (pool: PoolName, reason: CutReason) => void = () => undefined) {
    const pool = (name: PoolName, cut: (stream: ServerHttp2Stream) => void) =>
      new StreamPool(streamBounds[name], after, cut, (reason) => observe(name, reason));
    const refuse = (refusal: Refusal) => (stream: ServerHttp2Stream) => endWith(stream, toGrpcStatus(refusal, false));
    this.calls = pool("calls", refuse(outOfRoom));
    this.watches = pool("watches", refuse(outOfTime));
    this.reflection = pool("reflection", refuse(outOfTime));
    this.responses = pool("responses", abandon);
  }

  /** Has a stream of health or reflection be ended in a way of its own, if it has to end. */
  cutBy(stream: ServerHttp2Stream, cut: (status: grpc.StatusObject) => void): void {
    const end = () => cut(toGrpcStatus(outOfTime, false));
    for (const each of [this.calls, this.watches, this.reflection]) each.cutBy(stream, end);
  }

  /** Bytes that each pool holds now. */
  bufferedBytes(): Record<PoolName, number> {
    const { calls, watches, reflection, responses } = this;
    return {
      calls: calls.bufferedBytes,
      watches: watches.bufferedBytes,
      reflection: reflection.bufferedBytes,
      responses: responses.bufferedBytes,
    };
  }
}

function systemAfter(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}
