// The error table as programs read it; its one source is proto/assessment/v1/errors.proto.
import { getOption } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { type ErrorReason, ErrorReasonSchema } from "../../gen/assessment/v1/errors_pb.ts";
import { error_rule } from "../../gen/assessment/v1/options_pb.ts";

/** A code of the table, for example `not_found`; the `code` of a REST problem. */
export type ErrorCode = Lowercase<Exclude<keyof typeof ErrorReason, "UNSPECIFIED">>;

/** One reason for which a call is refused. */
export interface ErrorRow {
  readonly code: ErrorCode;
  /** For example `NOT_FOUND`; the `reason` of google.rpc.ErrorInfo. */
  readonly reason: string;
  /** Undefined if it cannot occur over REST. */
  readonly httpStatus: number | undefined;
  /** Undefined if it cannot occur over gRPC. */
  readonly grpcCode: Code | undefined;
  readonly title: string;
  /** The condition. */
  readonly when: string;
  /** The remedy: a sentence that says what to do. */
  readonly remedy: string;
}

/** `domain` of google.rpc.ErrorInfo. */
export const errorDomain = "partner-assessment-service";

const prefix = "ERROR_REASON_";

/** Every reason, in the order of the proto. */
export const errorRows: readonly ErrorRow[] = ErrorReasonSchema.values.slice(1).map((value) => {
  const rule = getOption(value, error_rule);
  const reason = value.name.slice(prefix.length);
  const grpcCode = toGrpcCode(rule.grpcStatus);
  if ([rule.title, rule.when, rule.remedy].includes("") || (grpcCode === undefined) !== (rule.grpcStatus === "")) {
    throw new Error(`errors.proto: the row of ${value.name} is incomplete`);
  }
  const httpStatus = rule.httpStatus === 0 ? undefined : rule.httpStatus;
  const code = reason.toLowerCase() as ErrorCode;
  return { code, reason, httpStatus, grpcCode, title: rule.title, when: rule.when, remedy: rule.remedy };
});

/** `INVALID_ARGUMENT` is `Code.InvalidArgument`. */
function toGrpcCode(status: string): Code | undefined {
  const name = status.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Code[name as keyof typeof Code];
}

const rowByCode: ReadonlyMap<string, ErrorRow> = new Map(errorRows.map((row) => [row.code, row]));

/** The row of a code. */
export function getErrorRow(code: ErrorCode): ErrorRow {
  const row = rowByCode.get(code);
  if (row === undefined) throw new Error(`errors.proto has no row for ${code}`);
  return row;
}

/** The code that a reason from another process names; `internal` for a reason that is not in the table. */
export function toErrorCode(reason: string): ErrorCode {
  return rowByCode.get(reason.toLowerCase())?.code ?? "internal";
}
