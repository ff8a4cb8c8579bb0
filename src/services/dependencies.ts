// Dependencies that use cases take from the process that they run in.
import { randomBytes } from "node:crypto";
import { AuditTrail } from "../domain/audit/trail.ts";
import { WriteQueue } from "../domain/concurrent-writes.ts";
import type { SendResult, WebhookMessage } from "../domain/webhooks/deliveries.ts";
import type { SecretSealer } from "../domain/webhooks/sealed-secrets.ts";
import { type Clock, monotonic, type RandomBytes, type ReportDefect } from "../kernel/environment.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { ClientUses, type RateLimits, type TokenResolver } from "../pipeline/auth/token.ts";
import type { Product, ReportRenderer } from "../products/product.ts";
import type { Shard, Stores } from "../store/stores.ts";
import { AssessmentCatalogue } from "./assessments/catalogue.ts";
import { type BatchSizes, batchSizes } from "./batch-sizes.ts";
import { EventWatch } from "./events/event-watch.ts";
import type { CompletionSigner } from "./hosted/completion-signing.ts";

export interface ServiceEnvironment {
  readonly shards: () => readonly Shard[];
  readonly reportDefect: ReportDefect;
  /** The service's clock, or that of the sessions of a test twin. */
  readonly clock: Clock;
  /** The reason why nothing may be removed for its age now; undefined: it may. */
  readonly clockFault: () => string | undefined;
  /** Called after every statement that should have added to the audit log and did not. */
  readonly observeAuditFailure?: (() => void) | undefined;
}

/** The dependencies of calls, of jobs, and of commands that call use cases directly. */
export function createDependencies(stores: Stores, environment: ServiceEnvironment, product: Product) {
  const random: RandomBytes = randomBytes;
  return {
    ...stores,
    ...environment,
    monotonic,
    random,
    batchSizes: batchSizes as BatchSizes,
    catalogue: new AssessmentCatalogue(stores.assessments, product, monotonic),
    trail: new AuditTrail({ ...stores, ...environment, random }),
    clientUses: new ClientUses(stores.identities),
    /** Wakes calls that wait for events. */
    watch: new EventWatch(environment.shards),
    /** Writes of one session in this process are queued. */
    writes: new WriteQueue(),
  };
}

/** The dependencies of use cases. One that also runs with a part of them picks that. */
export type Dependencies = ReturnType<typeof createDependencies>;

/** The dependencies of calls: what only a process with ports has. */
export interface CallDependencies extends Dependencies {
  readonly resolver: TokenResolver;
  readonly limits: RateLimits;
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
