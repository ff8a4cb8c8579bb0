// The schemas of requests and responses.

import { operations } from "../../src/gateway/rest/operations.ts";
import { ProblemSchema } from "../../src/gen/assessment/v1/errors_pb.ts";
import { ReportSchema } from "../../src/gen/assessment/v1/report_pb.ts";
import { TeamReportSchema } from "../../src/gen/assessment/v1/team_report_pb.ts";
import { AccessTokenSchema, OAuthErrorSchema } from "../../src/gen/assessment/v1/token_service_pb.ts";
import { WebhookTestSchema } from "../../src/gen/assessment/v1/webhook_service_pb.ts";
import { once } from "../../src/kernel/once.ts";
import { namedMessages, requestSchema, responseSchema } from "./message-schema.ts";

const rpcs = operations.map(({ rpc }) => rpc);

export const requestSchemas = once(() => namedMessages(rpcs.map(({ input }) => input)).map(requestSchema));

/** What no rpc returns as a message: reports, which are rendered, errors, tokens of OAuth, webhooks. */
const others = [ReportSchema, TeamReportSchema, ProblemSchema, AccessTokenSchema, OAuthErrorSchema, WebhookTestSchema];

export const responseSchemas = once(() =>
  namedMessages([...rpcs.map(({ output }) => output), ...others]).map(responseSchema),
);
