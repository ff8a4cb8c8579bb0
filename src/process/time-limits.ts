// Times that processes of every role keep, in milliseconds.

/** How long calls that run may take to end when the process stops. */
export const drainMs = 10_000;
/** How long a request may take to arrive. */
export const receiveTimeoutMs = 15_000;
/** How long the database may take to say that it is ready. */
export const readinessTimeoutMs = 2_000;
