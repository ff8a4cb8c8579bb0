// An operator's calls of the core: database access is the authentication; validated and audited like any other call.
import type { DescField, DescMethodUnary } from "@bufbuild/protobuf";
import { operatorRequestId } from "../domain/audit/trail.ts";
import { createJsonWriter } from "../json/messages.ts";
import { CallContext, type CallHead, createInternalOrigin, headerNames, makeCall } from "../kernel/calls/core.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { createCallSlots } from "../pipeline/limits/slots.ts";
import { createCore, operatorTimeoutMs } from "../process/core.ts";
import { createWebhookWiring } from "../process/webhook-wiring.ts";
import { getPartner } from "../services/identity/partners.ts";
import type { CommandContext } from "./command.ts";
import type { EnteredCommand, JsonFields, Operator } from "./commands/row.ts";
import { createDeadline, withDependencies } from "./database.ts";
import { rethrowMissingPartner } from "./faults.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";

/**
 * Runs calls over the database, as `withDependencies` opens it.
 * @param notFound the message for `not_found`, unless the partner is missing
 */
export function withOperator<T>(
  context: CommandContext,
  work: (operator: Operator) => Promise<T>,
  notFound: string = details.not_found,
): Promise<T> {
  return withDependencies(context, async (dependencies) => {
    const { config, say } = context;
    const keys = await provideWebhookKeys(config);
    const webhooks = createWebhookWiring(keys, config);
    const renderer = dependencies.catalogue.product.createRenderer();
    const core = createCore({
      dependencies,
      callSlots: createCallSlots(config),
      webhooks,
      config,
      publicUrl: () => config.PUBLIC_URL ?? "",
      observer: ({ cause }) => cause instanceof Error && say(cause.message),
      renderer,
      isOperators: true,
    });
    const call: Operator["call"] = async (rpc, request, partner) => {
      try {
        return createJsonWriter(
          rpc.output,
          Number,
        )(await makeCall(core, rpc, createOperatorHead(partner), () => request));
      } catch (error) {
        if (!(error instanceof Refusal) || error.message !== details.not_found) throw error;
        const partnerId = partner ?? request.partnerId;
        if (partnerId) await getPartner(dependencies, String(partnerId), createDeadline()).catch(rethrowMissingPartner);
        throw new Error(notFound);
      }
    };
    const readPages: Operator["readPages"] = async function* (rpc, request, partner) {
      const cursor = rpc.input.field.pageToken === undefined ? "after" : "pageToken";
      for (let at: unknown = ""; ; ) {
        const page = await call(rpc, { ...request, [cursor]: at }, partner);
        yield page;
        at = page.next ?? page.nextPageToken ?? page.nextCursor ?? "";
        if (at === "" || page.atEnd === true) return;
      }
    };
    const readItems: Operator["readItems"] = async function* (rpc, request, partner) {
      const list = findList(rpc)?.jsonName ?? "";
      for await (const page of readPages(rpc, request, partner)) yield* page[list] as JsonFields[];
    };
    try {
      return await work({ call, readPages, readItems });
    } finally {
      // The audit records of failed calls are written asynchronously.
      await dependencies.trail.waitUntilIdle();
      await renderer.close();
      webhooks.sender.close();
    }
  });
}

/** Prints the items of a list, or else the response; if it only has a message, that message. */
export async function printResponse(command: EnteredCommand): Promise<void> {
  const { call, readItems, rpc, request, partner, print } = command;
  if (findList(rpc) !== undefined) {
    for await (const item of readItems(rpc, request, partner)) print(item);
    return;
  }
  const json = await call(rpc, request, partner);
  const [only] = rpc.output.fields.length === 1 ? rpc.output.fields : [];
  const response = only?.message === undefined ? json : json[only.jsonName];
  print(rpc.output.fields.length === 0 ? request : response);
}

/** The list in the responses of an rpc that returns one. */
function findList({ output: { fields, field } }: DescMethodUnary): DescField | undefined {
  const isPaged = field.next !== undefined || field.nextPageToken !== undefined;
  return (isPaged || fields.length === 1 ? fields : []).find(({ fieldKind }) => fieldKind === "list");
}

function createOperatorHead(partnerId: string | undefined): CallHead {
  return {
    origin: createInternalOrigin(operatorRequestId, true),
    timeoutMs: operatorTimeoutMs,
    context: new CallContext(),
    header: (name) => (name === headerNames.partnerId ? partnerId : undefined),
  };
}
