// The byte budget for messages that are arriving, over every transport of a process. Known callers and strangers have
// separate budgets.
import { Refusal } from "../errors/refusal.ts";
import { Budget, type Share } from "../limits/budget.ts";
import { type Caller, strangerAt } from "../limits/caller.ts";

/** Most bytes for clients and browser sessions together. */
export const knownSendersBytes = 56 << 20;
/** Most bytes for everybody else together. */
export const strangersBytes = 8 << 20;
/** What a message takes in memory beside its bytes; the same for all small messages. */
const bytesPerMessage = 2_048;
/** What each chunk of a message takes beside its bytes: a message may arrive byte by byte. */
const bytesPerPiece = 512;

/** The sender of a message, as far as it is known when the message is read. */
export interface Sender {
  /** Undefined: unknown. */
  readonly knownAs: Caller | undefined;
  /** Network address. Strangers share by network. */
  readonly address: string;
}

export class BodyBudget {
  // A partner with too many uploads at a time can finish the older ones.
  readonly #known = new Budget({ total: knownSendersBytes, loses: "newest" });
  // A request for a token is a few hundred bytes sent at once; an old one has stalled.
  readonly #strangers = new Budget({ total: strangersBytes, loses: "oldest" });

  /** Bytes that are held now, with their overhead. */
  get usedBytes(): { readonly known: number; readonly stranger: number } {
    return { known: this.#known.used, stranger: this.#strangers.used };
  }

  /**
   * Begins a message.
   * @param cut called at most once, when the message is refused to free bytes for others or because there are none for it
   */
  open({ knownAs, address }: Sender, cut: (refusal: Refusal) => void): ArrivingBytes {
    const lost = () => cut(tooManyMessages());
    const share = knownAs ? this.#known.open(knownAs, lost) : this.#strangers.open(strangerAt(address), lost);
    return new ArrivingBytes(share);
  }
}

/** The bytes that one message holds while it arrives. */
export class ArrivingBytes {
  readonly #share: Share;
  #own = bytesPerMessage;

  constructor(share: Share) {
    this.#share = share;
  }

  /** Adds a chunk that arrived. If the budget is used up, this message or another one is cut. */
  add(bytes: number): void {
    this.#share.take(this.#own + bytes + bytesPerPiece);
    this.#own = 0;
  }

  /** Returns all bytes: the message has arrived, or never will. */
  end(): void {
    this.#share.end();
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
