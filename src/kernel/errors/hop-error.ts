// Trouble between a gateway and its core: no caller is to blame, and no caller can mend it.

export class HopError extends Error {
  override readonly name = "HopError";
  /** What the log says of it: a code of Node or TLS, or the name of a gRPC status. */
  readonly code: string | undefined;

  constructor(what: string, code: string | undefined, cause: unknown) {
    super(what, { cause });
    this.code = code;
  }
}
