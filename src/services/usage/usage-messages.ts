// Usage as a message.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetUsageResponseSchema } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import type { UsagePage } from "./usage.ts";

const modes = byWord(SessionMode);

/** A page of usage. */
export function toUsageMessage({
  days,
  nextPageToken,
  countedAt,
}: UsagePage): MessageInitShape<typeof GetUsageResponseSchema> {
  return {
    days: days.map(({ mode, ...day }) => ({ ...day, mode: mode === null ? SessionMode.UNSPECIFIED : modes[mode] })),
    nextPageToken,
    countedAt: toTimestamp(countedAt),
  };
}
