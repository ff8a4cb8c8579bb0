// The tools of the server.
import { readFileSync } from "node:fs";
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { scoreOffline } from "./score.ts";
import { Refused, Service } from "./service.ts";
import type { Settings } from "./settings.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const problems: Record<string, object> = JSON.parse(readFileSync(new URL("../problems.json", import.meta.url), "utf8"));

const product = "values-bridge";
const sessionId = z.uuid().describe("The session, as create_session names it.");

/** A server with its tools. It can do no more than they say: its tokens lack every other scope. */
export function createServer(settings: Settings): McpServer {
  const scopes = ["sessions:write", "sessions:read", ...(settings.allowResults ? ["results:read"] : [])];
  const service = new Service(settings.url, settings.clientId, settings.clientSecret, scopes);
  const server = new McpServer({ name: "partner-assessment-service", version });

  server.registerTool(
    "create_session",
    {
      title: "Create a session",
      description: "Starts one person's assessment. Hosted: gives the address to send the person to.",
      inputSchema: z.object({
        externalId: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe("Your own identifier of the person; none: anonymous."),
        redirectUrl: z
          .url()
          .max(2048)
          .optional()
          .describe("Makes the session hosted: where the person goes afterwards."),
      }),
    },
    ({ externalId, redirectUrl }) =>
      answer(async () => {
        const subject = externalId === undefined ? {} : { externalId };
        const hosted = redirectUrl === undefined ? {} : { mode: "hosted", redirectUrl };
        const created = await service.call("POST", `/v1/${product}/sessions`, { subject, ...hosted });
        const { assessment, ...session } = created as { assessment?: { questions: object[]; version: number } };
        const questions = assessment && {
          questions: assessment.questions.length,
          assessmentVersion: assessment.version,
        };
        return { ...session, ...questions };
      }),
  );

  server.registerTool(
    "get_status",
    {
      title: "Status of a session",
      description: "Says whether a session is open, completed, cancelled or expired, and since when.",
      inputSchema: z.object({ sessionId }),
      annotations: { readOnlyHint: true },
    },
    ({ sessionId: id }) => answer(() => service.call("GET", `/v1/${product}/sessions/${id}`)),
  );

  if (settings.allowResults) {
    server.registerTool(
      "explain_result",
      {
        title: "Explain a result",
        description: "Gives the results of a completed session, with every step from answers to numbers.",
        inputSchema: z.object({ sessionId }),
        annotations: { readOnlyHint: true },
      },
      ({ sessionId: id }) => answer(() => service.call("GET", `/v1/${product}/sessions/${id}/results?explain=true`)),
    );
  }

  server.registerTool(
    "score_offline",
    {
      title: "Score answers offline",
      description: "Scores given answers by the service's own code. Nothing is stored, and no service is asked.",
      inputSchema: z.object({
        answers: z
          .array(z.object({ questionId: z.int().min(1), value: z.int().min(1).max(7) }))
          .min(1)
          .max(1000)
          .describe("Question ids are those of the assessment: 1001, 1002, …"),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ answers }) => answer(async () => JSON.parse(await scoreOffline(answers, settings))),
  );

  server.registerTool(
    "explain_problem",
    {
      title: "Explain an error",
      description: "Says when an error of the service occurs, and what to do about it.",
      inputSchema: z.object({ code: z.string().max(64).describe("The `code` of the problem, for example not_found.") }),
      annotations: { readOnlyHint: true },
    },
    ({ code }) =>
      answer(async () => {
        const problem = Object.hasOwn(problems, code) ? problems[code] : undefined;
        if (problem === undefined)
          throw new Refused(`There is no such code. Known are ${Object.keys(problems).join(", ")}.`);
        return problem;
      }),
  );
  return server;
}

/** What a tool says: JSON, or why it could not. */
async function answer(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: JSON.stringify(await work()) }] };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}
