// An event as JSON: the feed and the webhooks send the same.

export interface EventFacts {
  readonly id: string;
  readonly type: string;
  readonly timestamp: Date;
  readonly sequence: number | bigint;
  readonly sessionId: string;
  readonly product: string;
  /** Null members are left out. */
  readonly assessmentVersion: number | null;
  readonly mode: string | null;
  readonly externalId: string | null;
  /** Whether it is an event of a test twin. */
  readonly isTest: boolean;
}

/** The event as JSON. Its sequence is a text, as numbers of 64 bits are in JSON. */
export function eventJson(event: EventFacts) {
  const { id, type, timestamp, sequence, sessionId, product, assessmentVersion, mode, externalId, isTest } = event;
  return {
    id,
    type,
    timestamp: timestamp.toISOString(),
    sequence: String(sequence),
    data: {
      sessionId,
      product,
      ...(assessmentVersion === null ? {} : { assessmentVersion }),
      ...(mode === null ? {} : { mode }),
      ...(externalId === null ? {} : { externalId }),
      ...(isTest ? { test: true } : {}),
    },
  };
}
