// The schemas of the messages that operations take and give.
import { ReportSchema } from "../../gen/assessment/v1/report_pb.ts";
import { namedMessages, requestSchema, responseSchema } from "../../transport/http/bodies/message-schema.ts";
import { operations } from "./operations.ts";

const rpcs = Object.values(operations).map(({ rpc }) => rpc);

export const requestSchemas = namedMessages(rpcs.map(({ input }) => input)).map(requestSchema);

/** A report is rendered already where its rpc gives it, as bytes. */
export const responseSchemas = namedMessages([...rpcs.map(({ output }) => output), ReportSchema]).map(responseSchema);
