// The error table as programs read it; its one source is proto/assessment/v1/errors.proto.
import { getOption } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { ErrorReasonSchema } from "../gen/assessment/v1/errors_pb.ts";
import { error_rule } from "../gen/assessment/v1/options_pb.ts";

/** One reason for which a call is refused. */
export interface ErrorRow {
  /** For example `not_found`; the `code` of a REST problem. */
  readonly code: string;
  /** For example `NOT_FOUND`; the `reason` of google.rpc.ErrorInfo. */
  readonly reason: string;
  /** Undefined where it cannot occur over REST. */
  readonly httpStatus: number | undefined;
  /** Undefined where it cannot occur over gRPC. */
  readonly grpcCode: Code | undefined;
  readonly title: string;
  readonly when: string;
}

/** `domain` of google.rpc.ErrorInfo. */
export const errorDomain = "partner-assessment-service";

const prefix = "ERROR_REASON_";

const grpcCodes: Readonly<Record<string, Code>> = {
  INVALID_ARGUMENT: Code.InvalidArgument,
  DEADLINE_EXCEEDED: Code.DeadlineExceeded,
  NOT_FOUND: Code.NotFound,
  PERMISSION_DENIED: Code.PermissionDenied,
  RESOURCE_EXHAUSTED: Code.ResourceExhausted,
  FAILED_PRECONDITION: Code.FailedPrecondition,
  ABORTED: Code.Aborted,
  INTERNAL: Code.Internal,
  UNAVAILABLE: Code.Unavailable,
  UNAUTHENTICATED: Code.Unauthenticated,
};

/** Every reason, in the order of the proto. */
export const errorRows: readonly ErrorRow[] = ErrorReasonSchema.values.slice(1).map((value) => {
  const rule = getOption(value, error_rule);
  const reason = value.name.slice(prefix.length);
  const grpcCode = grpcCodes[rule.grpcStatus];
  if (rule.title === "" || (grpcCode === undefined) !== (rule.grpcStatus === "")) {
    throw new Error(`errors.proto: the row of ${value.name} is incomplete`);
  }
  const httpStatus = rule.httpStatus === 0 ? undefined : rule.httpStatus;
  return { code: reason.toLowerCase(), reason, httpStatus, grpcCode, title: rule.title, when: rule.when };
});

const rowByCode = new Map(errorRows.map((row) => [row.code, row]));

/** The row of a code such as `not_found`; that of `internal` for a code which is not in the table. */
export function errorRow(code: string): ErrorRow {
  const row = rowByCode.get(code) ?? rowByCode.get("internal");
  if (row === undefined) throw new Error("errors.proto has no INTERNAL");
  return row;
}
