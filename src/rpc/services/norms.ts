// NormService: messages in, use cases of the domain, messages out.
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  getNorms,
  type Released,
  type ReleasedNormsDeps,
  type ScopedNorms,
} from "../../domain/norms/released-norms.ts";
import { NormService, type ScopedNormsSchema } from "../../gen/assessment/v1/norm_service_pb.ts";
import { type NormSource, toNormsMessage, toReason, toRetestMessage } from "../../values-bridge/messages/norms.ts";
import { type Handlers, implement, principalOf } from "../pipeline/implementation.ts";

/** The implementation of NormService. */
export function normService(deps: ReleasedNormsDeps): Handlers {
  return implement(NormService, {
    async getNorms({ product, language, version }, call) {
      const { partnerId } = principalOf(call);
      const found = await getNorms(deps, { partnerId, product, language, version }, call.deadline);
      return {
        product,
        version: found.assessment.version,
        language: found.language,
        partner: toScope(found.partner),
        pooled: toScope(found.pooled),
      };
    },
  });
}

function toScope({ sessions, retests }: ScopedNorms): MessageInitShape<typeof ScopedNormsSchema> {
  return {
    ...("released" in sessions
      ? { norms: toNormsMessage(sourceOf(sessions.released), sessions.released.numbers) }
      : { reason: toReason(sessions.reason) }),
    ...("released" in retests
      ? { retest: toRetestMessage(sourceOf(retests.released), retests.released.numbers) }
      : { retestReason: toReason(retests.reason) }),
  };
}

function sourceOf({ releasedAt, n, provisional }: Released<unknown>): NormSource {
  return { released: releasedAt.toISOString(), n, provisional };
}
