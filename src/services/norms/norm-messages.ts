// Norms as a message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LanguageNorms, Released, ScopedNorms } from "../../domain/norms/released-norms.ts";
import {
  type GetNormsResponseSchema,
  type ScopedNormsSchema,
  WithheldReason,
} from "../../gen/assessment/v1/norm_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { NormSource, ProductMessages } from "../../products/product.ts";

const reasons = byWord(WithheldReason);

/** Norms in one language, of the partner's own people and of all partners. */
export function toLanguageNormsMessage(
  found: LanguageNorms,
  messages: ProductMessages,
): MessageInitShape<typeof GetNormsResponseSchema> {
  return {
    product: found.assessment.product,
    version: found.assessment.version,
    language: found.language,
    partner: toScope(found.partner, messages),
    pooled: toScope(found.pooled, messages),
  };
}

function toScope(
  { sessions, retests }: ScopedNorms,
  messages: ProductMessages,
): MessageInitShape<typeof ScopedNormsSchema> {
  return {
    ...("released" in sessions
      ? { norms: messages.norms(sourceOf(sessions.released), sessions.released.numbers) }
      : { reason: reasons[sessions.reason] }),
    ...("released" in retests
      ? { retest: messages.retestNorms(sourceOf(retests.released), retests.released.numbers) }
      : { retestReason: reasons[retests.reason] }),
  };
}

function sourceOf({ releasedAt, n, provisional }: Released<unknown>): NormSource {
  return { released: releasedAt.toISOString(), n, provisional };
}
