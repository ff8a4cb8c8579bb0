// The bytes of all messages that are still arriving, over every transport of a process. Known callers and strangers
// have budgets of their own, and within each of them whoever holds the most makes room for the others.
import { Refusal } from "../errors/refusal.ts";
import { FairShares, type Share } from "./fair-shares.ts";
import { networkOf } from "./network.ts";

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
  /** Id of the client, or of the session that a person answers. Undefined: it is nobody known. */
  readonly knownAs: string | undefined;
  /** Network address. Strangers share by network. */
  readonly address: string;
}

export class BodyBudget {
  readonly #known = new FairShares(knownSendersBytes, "first");
  readonly #strangers = new FairShares(strangersBytes, "last");

  /** Bytes that are held now, with what they take beside. */
  get usedBytes(): { readonly known: number; readonly stranger: number } {
    return { known: this.#known.used, stranger: this.#strangers.used };
  }

  /**
   * Begins a message.
   * @param cut notified, once at most, that the message has to make room for others or that there is none for it
   */
  open({ knownAs, address }: Sender, cut: (refusal: Refusal) => void): ArrivingBytes {
    const onCut = () => cut(tooManyMessages());
    if (knownAs !== undefined) return new ArrivingBytes(this.#known.open(knownAs, onCut));
    return new ArrivingBytes(this.#strangers.open(networkOf(address), onCut));
  }
}

/** What one message holds while it arrives. */
export class ArrivingBytes {
  readonly #share: Share;
  #hasBegun = false;

  constructor(share: Share) {
    this.#share = share;
  }

  /** Takes room for a piece that arrived. This message is cut, or another one, if there is not enough. */
  add(bytes: number): void {
    const own = this.#hasBegun ? 0 : bytesPerMessage;
    this.#hasBegun = true;
    this.#share.take(own + bytes + bytesPerPiece);
  }

  /** Gives all of the room back: the message has arrived, or never will. */
  end(): void {
    this.#share.giveBack();
  }
}

function tooManyMessages(): Refusal {
  const detail = "Too many messages are arriving at once. Send this one again.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1 });
}
