// A connection to a transport, as the load sees it, whatever the protocol.
import type { OperationName } from "../orders.ts";

export interface Connection {
  /**
   * Sends the prepared request of an operation, with the text in its gap; one at a time.
   * @returns the body of the answer, or no more than its first bytes
   * Rejects where the answer is not a success.
   */
  send(operation: OperationName, text: string): Promise<Buffer>;
  close(): void;
}

/** A request made once, with gaps of fixed length into which a text is written before each use. */
export class Prepared {
  readonly bytes: Buffer;
  readonly #gaps: readonly number[];

  /** @param placeholder what stands in the gaps */
  constructor(bytes: Uint8Array, placeholder: string) {
    this.bytes = Buffer.from(bytes);
    const gaps: number[] = [];
    for (let at = this.bytes.indexOf(placeholder); at >= 0; at = this.bytes.indexOf(placeholder, at + 1)) gaps.push(at);
    this.#gaps = gaps;
  }

  /** The bytes with the text in them; good until the next call. */
  with(text: string): Buffer {
    for (const at of this.#gaps) this.bytes.write(text, at, "latin1");
    return this.bytes;
  }
}

/** Texts as long as those that take their place. */
export const placeholders = {
  sessionId: "00000000-0000-7000-8000-000000000000",
  externalId: "person-0000000000000000",
} as const;

/** What stands in the gaps of an operation's request. */
export function placeholderOf(operation: OperationName): string {
  return operation === "create" ? placeholders.externalId : placeholders.sessionId;
}
