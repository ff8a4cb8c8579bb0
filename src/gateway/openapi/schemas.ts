// The schemas of requests and responses.
import { ProblemSchema } from "../../gen/assessment/v1/errors_pb.ts";
import { ReportSchema } from "../../gen/assessment/v1/report_pb.ts";
import { TeamReportSchema } from "../../gen/assessment/v1/team_report_pb.ts";
import { AccessTokenSchema, OAuthErrorSchema } from "../../gen/assessment/v1/token_service_pb.ts";
import { WebhookTestSchema } from "../../gen/assessment/v1/webhook_service_pb.ts";
import { once } from "../../kernel/once.ts";
import { namedMessages, requestSchema, responseSchema } from "../../transport/http/bodies/message-schema.ts";
import { operations } from "../rest/operations.ts";

const rpcs = operations.map(({ rpc }) => rpc);

export const requestSchemas = once(() => namedMessages(rpcs.map(({ input }) => input)).map(requestSchema));

/** What no rpc returns as a message: reports, which are rendered, errors, tokens of OAuth, webhooks. */
const others = [ReportSchema, TeamReportSchema, ProblemSchema, AccessTokenSchema, OAuthErrorSchema, WebhookTestSchema];

export const responseSchemas = once(() =>
  namedMessages([...rpcs.map(({ output }) => output), ...others]).map(responseSchema),
);
