// An error that tells of its caller, not of the code that threw it.

/** Has no stack: nobody reads it, and taking it is a tenth of what a refusal costs in a flood of them. */
export class UntracedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
