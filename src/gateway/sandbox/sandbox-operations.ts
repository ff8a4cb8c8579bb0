// The operations of the sandbox.

import {
  AutofillSessionRequestSchema,
  SandboxService,
  SetTestClockRequestSchema,
  TestClockSchema,
} from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { RecordAnswersResponseSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { refusalsOf } from "../../kernel/session-states.ts";
import { operation } from "../openapi/operation.ts";

const { autofillSession, getTestClock, setTestClock } = SandboxService.method;

export const sandboxOperations = {
  autofillSession: operation("POST", "/v1/:product/sessions/:id/test/autofill", autofillSession, {
    tag: "Sandbox",
    summary: "Record the answers of a made-up person",
    description:
      "Over those recorded before. The answers of a persona to a version are the same for ever, and so are its results. Only credentials of a test twin allow it.",
    body: AutofillSessionRequestSchema,
    success: { status: 200, description: "The answers are stored.", schema: RecordAnswersResponseSchema },
    reasons: [...refusalsOf("answer"), "conflict"],
  }),
  getTestClock: operation("GET", "/v1/test/clock", getTestClock, {
    tag: "Sandbox",
    summary: "Read the clock of a test twin",
    description: "That of its sessions. Only credentials of a test twin allow it.",
    success: { status: 200, description: "The clock.", schema: TestClockSchema },
  }),
  setTestClock: operation("PUT", "/v1/test/clock", setTestClock, {
    tag: "Sandbox",
    summary: "Move the clock of a test twin",
    description:
      "It goes on from there. Sessions that have expired by then are announced. Only credentials of a test twin allow it.",
    body: SetTestClockRequestSchema,
    success: { status: 200, description: "The clock as it is from now on.", schema: TestClockSchema },
  }),
} as const;
