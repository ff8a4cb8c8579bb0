// Bounds the memory of messages that arrive slowly, over all transports. Nearly all arrive at once, and take no places.
import { Refusal } from "../errors/refusal.ts";
import type { Sender } from "./caller.ts";
import { MemoryLimit } from "./places.ts";
import { Semaphore } from "./semaphore.ts";

/** Most bytes for clients and browser sessions together, and for everybody else together. */
export const slowBytes = { authenticated: 56 << 20, unauthenticated: 8 << 20 } as const;
const placeBytes = 16 << 10;
/** A message that has not arrived by then takes places for all its bytes. */
const slowMs = 500;
const sweepMs = 250;

/** A message that is arriving. */
export interface ArrivingBody {
  /** Takes its places now: it is large. */
  takePlaces(): void;
  /** It has arrived, or is not read any more. */
  end(): void;
}

interface Arriving extends ArrivingBody {
  readonly since: number;
}

export class SlowBodies {
  /**
   * Slots of messages whose bytes nobody can count while they arrive: each may take all of them before it is slow. Callers
   * without a slot wait, and are not read.
   */
  readonly uncounted = new Semaphore({ slots: 192, slotsOfPartner: 48, queue: 8_192 }, tooManyMessages);
  readonly memory = new MemoryLimit(placeBytes, slowBytes);
  /** The oldest first. */
  readonly #arriving = new Set<Arriving>();
  #sweep: NodeJS.Timeout | undefined;

  /**
   * Begins a message.
   * @param bytes most that it takes
   * @param onRefused called at most once, if its places are needed for others
   * @param onSlow called once it takes places
   */
  begin(
    sender: Sender,
    bytes: number,
    onRefused: (refusal: Refusal) => void,
    onSlow: () => void = () => {},
  ): ArrivingBody {
    let release: (() => void) | undefined;
    const arriving: Arriving = {
      since: performance.now(),
      takePlaces: () => {
        release ??= this.memory.take(sender, bytes, () => onRefused(tooManyMessages()));
        onSlow();
      },
      end: () => {
        this.#arriving.delete(arriving);
        release?.();
      },
    };
    this.#arriving.add(arriving);
    this.#sweep ??= setInterval(() => this.#takePlacesOfSlowOnes(), sweepMs).unref();
    return arriving;
  }

  #takePlacesOfSlowOnes(): void {
    const slowSince = performance.now() - slowMs;
    for (const arriving of this.#arriving) {
      if (arriving.since > slowSince) break;
      arriving.takePlaces();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
