// The bytes of all messages that are still arriving, over every transport of a process. Known callers and strangers
// have budgets of their own.
import { Refusal } from "../errors/refusal.ts";
import { Budget, type Share } from "../limits/budget.ts";
import { type Caller, strangerAt } from "../limits/caller.ts";

/** What clients and people on a browser session may hold together, in bytes. */
export const knownSendersBytes = 56 << 20;
/** What everybody else may hold together, in bytes. */
export const strangersBytes = 8 << 20;
/** What a message takes in memory beside its bytes; small messages all count alike. */
const bytesPerMessage = 2_048;
/** What each piece of a message takes beside its bytes: a message may come one byte at a time. */
const bytesPerPiece = 512;

/** Who sends a message, as far as that is known when it is read. */
export interface Sender {
  /** Undefined: it is nobody known. */
  readonly knownAs: Caller | undefined;
  /** Network address. Strangers share by network. */
  readonly address: string;
}

export class BodyBudget {
  /** A partner with too many uploads at a time finishes those it began. */
  readonly #known = new Budget({ total: knownSendersBytes, loses: "newest" });
  /** Who asks for a token sends a few hundred bytes at once; what is old stalls. */
  readonly #strangers = new Budget({ total: strangersBytes, loses: "oldest" });

  /** Bytes that are held now, with what they take beside. */
  get usedBytes(): { readonly known: number; readonly stranger: number } {
    return { known: this.#known.used, stranger: this.#strangers.used };
  }

  /**
   * Begins a message.
   * @param cut notified, once at most, that the message has to make room for others or that there is none for it
   */
  open({ knownAs, address }: Sender, cut: (refusal: Refusal) => void): ArrivingBytes {
    const lost = () => cut(tooManyMessages());
    const share = knownAs ? this.#known.open(knownAs, lost) : this.#strangers.open(strangerAt(address), lost);
    return new ArrivingBytes(share);
  }
}

/** What one message holds while it arrives. */
export class ArrivingBytes {
  readonly #share: Share;
  #own = bytesPerMessage;

  constructor(share: Share) {
    this.#share = share;
  }

  /** Takes room for a piece that arrived. This message is cut, or another one, if there is not enough. */
  add(bytes: number): void {
    this.#share.take(this.#own + bytes + bytesPerPiece);
    this.#own = 0;
  }

  /** Gives all of the room back: the message has arrived, or never will. */
  end(): void {
    this.#share.end();
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
