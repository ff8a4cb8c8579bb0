// Who is notified of deliveries: the log and the metrics.

import type { DisabledReason } from "../domain/webhooks/endpoint.ts";
import type { SendResult } from "../domain/webhooks/webhook-sender-port.ts";

/** Notified of what happens, without a word of where to. */
export interface DeliveryObserver {
  readonly attempted: (endpointId: string, result: SendResult, hasSucceeded: boolean) => void;
  readonly died: (endpointId: string) => void;
  readonly disabled: (endpointId: string, reason: DisabledReason) => void;
  readonly unreadable: (endpointId: string) => void;
}
