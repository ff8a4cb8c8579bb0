// Which clients called of late. A process remembers it, and a job writes it down: no call costs a write.
import type { Paging } from "../../kernel/environment.ts";
import type { IdentityStore } from "../../store/identity/identity-store.ts";

/** Clients that are remembered; more than that are noted when they call again. */
const maxRemembered = 10_000;
/** Clients that one statement names. */
const batch = 500;

export class ClientUses {
  readonly #identities: Pick<IdentityStore, "saveClientUses">;
  readonly #mostAtOnce: number;
  #used = new Set<string>();

  constructor(identities: Pick<IdentityStore, "saveClientUses">, { mostAtOnce = batch }: Paging = {}) {
    this.#identities = identities;
    this.#mostAtOnce = mostAtOnce;
  }

  /** Remembers that the client has just called. */
  note(clientId: string): void {
    if (this.#used.size < maxRemembered) this.#used.add(clientId);
  }

  /** Writes down who called since the last time, by the database's clock. What fails is written down the next time. */
  async save(signal: AbortSignal): Promise<void> {
    const used = [...this.#used];
    this.#used = new Set();
    for (let begin = 0; begin < used.length; begin += this.#mostAtOnce) {
      try {
        await this.#identities.saveClientUses(used.slice(begin, begin + this.#mostAtOnce), signal);
      } catch (error) {
        for (const clientId of used.slice(begin)) this.note(clientId);
        throw error;
      }
    }
  }
}
