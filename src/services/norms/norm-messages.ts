// Norms as a message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type GetNormsResponseSchema,
  type OwnNormsSchema,
  type PooledNormsSchema,
  WithheldReason,
} from "../../gen/assessment/v1/norm_service_pb.ts";
import { TranslationState } from "../../gen/assessment/v1/quality_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { NormSource, ProductMessages } from "../../products/product.ts";
import type { LanguageNorms, OwnNorms, OwnNumbers } from "./norms.ts";

const reasons = byWord(WithheldReason);
const translationStates = byWord(TranslationState);

/** Norms in one language, of the partner's own people and of all partners. */
export function toLanguageNormsMessage(
  found: LanguageNorms,
  messages: ProductMessages,
): MessageInitShape<typeof GetNormsResponseSchema> {
  return {
    product: found.assessment.product,
    version: found.assessment.version,
    language: found.language,
    ...(found.translationState && { translationState: translationStates[found.translationState] }),
    partner: toOwn(found.partner, messages),
    pooled: toPooled(found.pooled, messages),
  };
}

function toPooled(
  pooled: LanguageNorms["pooled"],
  messages: ProductMessages,
): MessageInitShape<typeof PooledNormsSchema> {
  if ("reason" in pooled) return { reason: reasons[pooled.reason] };
  const { releasedAt, number, numbers } = pooled;
  return { release: messages.pooledNorms({ released: releasedAt.toISOString(), number }, numbers) };
}

function toOwn({ sessions, retests }: OwnNorms, messages: ProductMessages): MessageInitShape<typeof OwnNormsSchema> {
  return {
    ...("own" in sessions
      ? { norms: messages.norms(sourceOf(sessions.own), sessions.own.numbers) }
      : { reason: reasons[sessions.reason] }),
    ...("own" in retests
      ? { retest: messages.retestNorms(sourceOf(retests.own), retests.own.numbers) }
      : { retestReason: reasons[retests.reason] }),
  };
}

function sourceOf({ computedAt, n, provisional }: OwnNumbers<unknown>): NormSource {
  return { released: computedAt.toISOString(), n, provisional };
}
