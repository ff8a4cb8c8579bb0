// NormService: norms in one language, of the partner's own people and of all partners.
import type { ServiceImpl } from "@connectrpc/connect";
import { type NormService, WithheldReason } from "../../gen/assessment/v1/norm_service_pb.ts";
import { TranslationState } from "../../gen/assessment/v1/quality_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { NormSource, ProductMessages } from "../../products/product.ts";
import { getNorms, type LanguageNorms, type NormsDeps, type OwnNorms, type OwnNumbers } from "./norms.ts";

const reasons = byWord(WithheldReason);
const translationStates = byWord(TranslationState);

/** The implementation of NormService. */
export function normService(deps: NormsDeps): ServiceImpl<typeof NormService> {
  const { messages } = deps.catalogue.product;
  return {
    async getNorms({ product, language, version }, context) {
      const { partnerId, scopes } = principalOf(context);
      const query = { partnerId, product, language, version, maySeeOwn: scopes.has("results:read") };
      const found = await getNorms(deps, query, deadlineOf(context));
      return {
        product: found.assessment.product,
        version: found.assessment.version,
        language: found.language,
        ...(found.translationState && { translationState: translationStates[found.translationState] }),
        partner: toOwn(found.partner, messages),
        pooled: toPooled(found.pooled, messages),
      };
    },
  };
}

function toPooled(pooled: LanguageNorms["pooled"], messages: ProductMessages) {
  if ("reason" in pooled) return { reason: reasons[pooled.reason] };
  const { releasedAt, number, numbers } = pooled;
  return { release: messages.pooledNorms({ released: releasedAt.toISOString(), number }, numbers) };
}

function toOwn({ sessions, retests }: OwnNorms, messages: ProductMessages) {
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
