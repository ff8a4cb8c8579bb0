// An operator's calls of the core: database access is the authentication; validated and audited like any other call.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { operatorRequestId } from "../domain/audit/trail.ts";
import { CallContext, type CallHead, createInternalOrigin, headerNames, makeCall } from "../kernel/calls/core.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { createCallSlots } from "../pipeline/limits/slots.ts";
import { createCore, operatorTimeoutMs } from "../process/core.ts";
import { createWebhookWiring } from "../process/webhook-wiring.ts";
import type { SharedDependencies } from "../services/dependencies.ts";
import { getPartner } from "../services/identity/partners.ts";
import type { CommandContext } from "./command.ts";
import { createDeadline, withDependencies } from "./database.ts";
import { rethrowMissingPartner } from "./faults.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";

/** Calls the core on behalf of an operator. */
export interface Operator {
  /**
   * Throws the refusals of the core.
   * @param partnerId that the call acts for; undefined if it has none, or names it in its message
   * @param missing the message for `not_found`
   */
  call<M extends DescMethodUnary>(
    rpc: M,
    message: MessageInitShape<M["input"]>,
    partnerId?: string,
    missing?: string,
  ): Promise<MessageShape<M["output"]>>;
}

/** Runs calls over the database, as `withDependencies` opens it. */
export function withOperator<T>(context: CommandContext, work: (operator: Operator) => Promise<T>): Promise<T> {
  return withDependencies(context, async (dependencies) => {
    const { config, say } = context;
    const keys = await provideWebhookKeys(config);
    const webhooks = createWebhookWiring(keys, config);
    const renderer = dependencies.catalogue.product.createRenderer();
    const core = createCore({
      dependencies,
      admission: createCallSlots(config),
      webhooks,
      config,
      publicUrl: () => config.PUBLIC_URL ?? "",
      observer: ({ cause }) => cause instanceof Error && say(cause.message),
      renderer,
      isOperators: true,
    });
    const call: Operator["call"] = (method, message, partnerId, missing = details.not_found) =>
      makeCall(core, method, createOperatorHead(partnerId), () => message).catch((error) =>
        rethrow(dependencies, error, partnerId ?? findPartnerId(message), missing),
      );
    try {
      return await work({ call });
    } finally {
      // The audit records of failed calls are written asynchronously.
      await dependencies.trail.waitUntilIdle();
      await renderer.close();
      webhooks.sender.close();
    }
  });
}

function createOperatorHead(partnerId: string | undefined): CallHead {
  return {
    origin: createInternalOrigin(operatorRequestId, true),
    timeoutMs: operatorTimeoutMs,
    context: new CallContext(),
    header: (name) => (name === headerNames.partnerId ? partnerId : undefined),
  };
}

/** For `not_found`, throws whether the partner is missing, or what the command asks for. */
async function rethrow(
  dependencies: SharedDependencies,
  error: unknown,
  partnerId: string | undefined,
  missing: string,
): Promise<never> {
  if (!(error instanceof Refusal) || error.message !== details.not_found) throw error;
  if (partnerId) await getPartner(dependencies, partnerId, createDeadline()).catch(rethrowMissingPartner);
  throw new Error(missing);
}

function findPartnerId(message: object): string | undefined {
  return (message as { readonly partnerId?: string }).partnerId;
}
