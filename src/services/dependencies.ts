// What use cases take from the process that they run in. Each names its own: `Needs<"sessions" | "clock">`.
import type { WriteQueue } from "../domain/concurrent-writes.ts";
import type { SendResult, WebhookMessage } from "../domain/webhooks/deliveries.ts";
import type { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import type { Clock, MonotonicClock, RandomBytes, ReportDefect } from "../kernel/environment.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import type { ClientUses, RateLimits, TokenResolver } from "../pipeline/auth/token.ts";
import type { ReportRenderer } from "../products/product.ts";
import type { Shard, Stores } from "../store/stores.ts";
import type { AssessmentCatalogue, AssessmentMessages } from "./assessments/catalogue.ts";
import type { BatchSizes } from "./batch-sizes.ts";
import type { EventWatch } from "./events/event-watch.ts";
import type { CompletionSigner } from "./hosted/completion-signing.ts";

export interface Dependencies extends Stores {
  readonly batchSizes: BatchSizes;
  readonly shards: () => readonly Shard[];
  readonly catalogue: AssessmentCatalogue;
  /** Versions as messages. */
  readonly messages: AssessmentMessages;
  /** The service's clock, or that of the sessions of a test twin. */
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly random: RandomBytes;
  readonly reportDefect: ReportDefect;
  /** Writes of one session in this process are queued. */
  readonly writes: WriteQueue;
  readonly clientUses: Pick<ClientUses, "markUsed">;
  readonly resolver: TokenResolver;
  readonly limits: RateLimits;
  /** Wakes calls that wait for events. */
  readonly watch: EventWatch;
  /** Address of the pages for people. Throws `hosted_off` if it is not configured. */
  readonly pagesUrl: () => string;
  /** Address of the service as its callers see it; the issuer of completion tokens. */
  readonly issuer: () => string;
  readonly signer: CompletionSigner;
  readonly renderer: ReportRenderer;
  readonly sealer: SecretSealer;
  readonly sender: { send(message: WebhookMessage, signal: AbortSignal): Promise<SendResult> };
  /** The violations of a URL: whether webhooks may be sent there, as far as can be checked now. Resolves its name. */
  readonly findDestinationViolations: (url: string) => Promise<readonly Violation[]>;
}

/** Picks the dependencies that a use case names. */
export type Needs<K extends keyof Dependencies> = Pick<Dependencies, K>;
