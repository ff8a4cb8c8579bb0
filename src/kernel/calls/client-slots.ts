// How many things of a kind go on at a time: so many of all clients, and of each no more than its part of them.
import type { Refusal } from "../errors/refusal.ts";

export interface SlotLimits {
  readonly ofAll: number;
  readonly ofClient: number;
}

export class ClientSlots {
  readonly #limits: SlotLimits;
  readonly #refusal: (reached: keyof SlotLimits) => Refusal;
  /** Those with a slot; no more of them than slots. */
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  /** @param refusal what is thrown where a limit is reached */
  constructor(limits: SlotLimits, refusal: (reached: keyof SlotLimits) => Refusal) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** The slots that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes a slot of the client's, or throws the refusal. @returns what gives it back, to be called once */
  take(clientId: string): () => void {
    const own = this.#byClient.get(clientId) ?? 0;
    if (own >= this.#limits.ofClient) throw this.#refusal("ofClient");
    if (this.#taken >= this.#limits.ofAll) throw this.#refusal("ofAll");
    this.#byClient.set(clientId, own + 1);
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      const left = (this.#byClient.get(clientId) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(clientId);
      else this.#byClient.set(clientId, left);
    };
  }

  /** Works with a slot of the client's. Rejects with the refusal if there is none. */
  async run<T>(clientId: string, work: () => Promise<T>): Promise<T> {
    const giveBack = this.take(clientId);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }
}
