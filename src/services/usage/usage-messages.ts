// Usage as a message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { UsagePage } from "../../domain/usage/usage.ts";
import type { GetUsageResponseSchema } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const modes = { headless: SessionMode.HEADLESS, hosted: SessionMode.HOSTED } as const;

/** A page of usage. */
export function toUsageMessage({
  days,
  nextPageToken,
  countedAt,
}: UsagePage): MessageInitShape<typeof GetUsageResponseSchema> {
  return {
    days: days.map(({ mode, ...day }) => ({ ...day, mode: mode === null ? SessionMode.UNSPECIFIED : modes[mode] })),
    nextPageToken,
    ...(countedAt === null ? {} : { countedAt: toTimestamp(countedAt) }),
  };
}
