// How large a page of an export gets. A definition may have so many questions and pairings that 200 sessions take tens of
// megabytes, and whoever reads by gRPC takes no message of more than some: most libraries 4 MiB.
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";

/** Bytes of the sessions of a page, unless it has a single one. Leaves room for the rest of the message. */
export const maxPageBytes = 3 << 20;
/** Of the tag and length before each session. */
const prefixBytes = 6;

/** What of a page is left for sessions. */
export class PageRoom<M extends DescMessage> {
  readonly #schema: M;
  #taken = 0;

  /** @param schema of a session */
  constructor(schema: M) {
    this.#schema = schema;
  }

  /** Whether a session has a place. The first one always has: an export must go on. */
  takes(session: MessageShape<M>): boolean {
    const taken = this.#taken + toBinary(this.#schema, session).length + prefixBytes;
    if (this.#taken > 0 && taken > maxPageBytes) return false;
    this.#taken = taken;
    return true;
  }
}
