// Norms as a message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LanguageNorms, Released, ScopedNorms } from "../../domain/norms/released-norms.ts";
import type { GetNormsResponseSchema, ScopedNormsSchema } from "../../gen/assessment/v1/norm_service_pb.ts";
import {
  type NormSource,
  toNormsMessage,
  toReason,
  toRetestMessage,
} from "../../products/values-bridge/messages/norms.ts";

/** Norms in one language, of the partner's own people and of all partners. */
export function toLanguageNormsMessage(found: LanguageNorms): MessageInitShape<typeof GetNormsResponseSchema> {
  return {
    product: found.assessment.product,
    version: found.assessment.version,
    language: found.language,
    partner: toScope(found.partner),
    pooled: toScope(found.pooled),
  };
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
