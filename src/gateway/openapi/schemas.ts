// The schemas of requests and responses.
import { ProblemSchema } from "../../gen/assessment/v1/errors_pb.ts";
import { ReportSchema } from "../../gen/assessment/v1/report_pb.ts";
import { TeamReportSchema } from "../../gen/assessment/v1/team_report_pb.ts";
import { once } from "../../kernel/once.ts";
import { namedMessages, requestSchema, responseSchema } from "../../transport/http/bodies/message-schema.ts";
import { operations } from "../rest/operations.ts";

const rpcs = operations.map(({ rpc }) => rpc);

export const requestSchemas = once(() => namedMessages(rpcs.map(({ input }) => input)).map(requestSchema));

/** The rpcs of these reports return rendered bytes, and no rpc returns a problem. */
const others = [ReportSchema, TeamReportSchema, ProblemSchema];

export const responseSchemas = once(() =>
  namedMessages([...rpcs.map(({ output }) => output), ...others]).map(responseSchema),
);
