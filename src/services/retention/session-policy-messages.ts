// Policies of sessions as messages: what is not decided is null in the domain and absent in the message.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SessionPolicy as PolicyMessage,
  SessionPolicySchema,
} from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { SessionPolicy } from "../../store/retention/session-policy-store.ts";

const modes = byWord(SessionMode);

/** The policy as a message. */
export function toPolicyMessage(policy: SessionPolicy): MessageInitShape<typeof SessionPolicySchema> {
  const { mode, partnerId: _, ...days } = policy;
  const decided = Object.entries(days).filter(([, count]) => count !== null);
  return { mode: modes[mode], ...Object.fromEntries(decided) };
}

/** The policy in a message. Throws `invalid_request` unless it names a mode. */
export function fromPolicyMessage(partnerId: string, message: PolicyMessage | undefined): SessionPolicy {
  const days = {
    expiresAfterDays: message?.expiresAfterDays ?? null,
    deleteCompletedAfterDays: message?.deleteCompletedAfterDays ?? null,
    deleteOpenAfterDays: message?.deleteOpenAfterDays ?? null,
    deleteAnswersAfterDays: message?.deleteAnswersAfterDays ?? null,
    deleteResultsAfterDays: message?.deleteResultsAfterDays ?? null,
  };
  if (message?.mode === SessionMode.HEADLESS) return { partnerId, mode: "headless", ...days };
  if (message?.mode === SessionMode.HOSTED) return { partnerId, mode: "hosted", ...days };
  const detail = "Must be one of: headless, hosted.";
  throw invalidRequest([{ path: ["policy", "mode"], code: "unknown_value", detail }]);
}
