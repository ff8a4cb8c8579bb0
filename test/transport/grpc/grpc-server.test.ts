// What the gRPC transport has beside the calls: health, reflection, and a thick skin.

import { execFile } from "node:child_process";
import { connect as connectHttp2 } from "node:http2";
import { promisify } from "node:util";
import { create, type DescMessage, type DescMethodUnary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import * as grpc from "@grpc/grpc-js";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { SessionPolicySchema } from "../../../src/gen/assessment/v1/partner_service_pb.ts";
import { type ReportFormat, ReportPaper, ReportPictureName } from "../../../src/gen/assessment/v1/report_service_pb.ts";
import {
  RecordAnswersRequestSchema,
  type SessionMode,
  SessionService,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../src/gen/health/v1/health_pb.ts";
import { isBrowserScope } from "../../../src/kernel/calls/core.ts";
import { readRequiredScope } from "../../../src/kernel/rpc-options.ts";
import { services } from "../../../src/kernel/services.ts";
import { toOwnRenderOptions } from "../../../src/services/reports/own-report.ts";
import { toRenderOptions } from "../../../src/services/reports/render-report.ts";
import { readPolicyMessage } from "../../../src/services/retention/session-policies.ts";
import { addCaller } from "../../support/app.ts";
import { appOfFile, clientOfFile } from "../../support/of-file.ts";
import { refusal, violationsOf } from "../../support/transports/grpc-client.ts";

const app = await appOfFile();
const client = clientOfFile(app);
const metadata = { authorization: `Bearer ${(await addCaller(app)).token}` };
afterEach(async () => {
  expect((await client.unary(Health.method.check, {})).status).toBe(Status.SERVING);
});

test("health reports the server and each service, and no other", async () => {
  for (const service of ["", "assessment.v1.SessionService", "assessment.v1.TokenService"]) {
    expect((await client.unary(Health.method.check, { service })).status).toBe(Status.SERVING);
  }
  expect((await refusal(client.unary(Health.method.check, { service: "other" }))).code).toBe(Code.NotFound);
});

test("a tool without protos finds and calls the services by reflection", async () => {
  const url = `http://${app.grpcAddress}`;
  const curl = (...args: string[]) =>
    promisify(execFile)("buf", ["curl", "--http2-prior-knowledge", "--protocol", "grpc", ...args]);
  const { stdout: methods } = await curl("--list-methods", url);
  expect(methods).toContain("assessment.v1.SessionService/CreateSession");
  expect(methods).toContain("grpc.health.v1.Health/Check");
  const { stdout } = await curl(
    "-H",
    `authorization: ${metadata.authorization}`,
    "-d",
    '{"product": "values-bridge", "subject": {"externalId": "by reflection"}}',
    `${url}/assessment.v1.SessionService/CreateSession`,
  );
  expect(JSON.parse(stdout)).toMatchObject({ subject: { externalId: "by reflection" } });
});

test.each(["v1", "v1alpha"])(
  "reflection %s answers clients that ask at once, and ends a call that sends no message",
  async (version) => {
    const tool = new grpc.Client(app.grpcAddress, grpc.credentials.createInsecure());
    onTestFinished(() => tool.close());
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    const asItIs = (bytes: Buffer) => bytes;
    const ask = async (...messages: Uint8Array[]) => {
      const call = tool.makeBidiStreamRequest(path, asItIs, asItIs);
      for (const message of messages) call.write(Buffer.from(message));
      call.end();
      const answers: Buffer[] = [];
      call.on("data", (bytes: Buffer) => answers.push(bytes)).on("error", () => undefined);
      const { code } = await new Promise<grpc.StatusObject>((resolve) => call.once("status", resolve));
      return { code, answers: answers.map(String) };
    };
    // The member `list_services`, an empty text.
    const listServices = new Uint8Array([0x3a, 0]);
    const lists = await Promise.all([ask(listServices), ask(listServices, listServices)]);
    const names = [SessionService.typeName, Health.typeName];
    expect(
      lists.map(({ code, answers }) => [code, answers.map((text) => names.every((name) => text.includes(name)))]),
    ).toEqual([
      [grpc.status.OK, [true]],
      [grpc.status.OK, [true, true]],
    ]);
    expect(await ask(new Uint8Array([0x3a, 0xff]))).toEqual({ code: grpc.status.INTERNAL, answers: [] });
    expect((await ask(listServices)).code).toBe(grpc.status.OK);
  },
);

test("bytes that are not a message are refused as such", async () => {
  const bytes = new Uint8Array([0x0a, 0xff, 0xff, 0xff]);
  const error = await refusal(client.bytes(SessionService.method.getSession, bytes, { metadata }));
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
    { reason: "MALFORMED_REQUEST", domain: "partner-assessment-service" },
  ]);
});

const enumsOf = ({ fields }: DescMessage) => fields.filter((field) => field.enum !== undefined);
/** Of every rpc of partners; what a report cannot be is another refusal, over every transport in test/e2e/cases. */
const rpcsWithEnums = services
  .flatMap(({ methods }) => methods as DescMethodUnary[])
  .filter((method) => enumsOf(method.input).length > 0 && !isBrowserScope(readRequiredScope(method)));

test.each(rpcsWithEnums.map((method) => [method.name, method] as const))(
  "%s refuses an unknown enum value, naming its field",
  async (_name, method) => {
    const product = method.input.field.product === undefined ? {} : { product: "values-bridge" };
    for (const { name, localName } of enumsOf(method.input).filter((field) => field.name !== "format")) {
      for (const value of [7, -1]) {
        const call = client.unary(method, { ...product, [localName]: value }, { metadata });
        expect(await violationsOf(call)).toContain(`${name} UNKNOWN_VALUE`);
      }
    }
  },
);

test("a report in an unknown format is refused, as a partner's and as the person's own", () => {
  const isUnacceptable = expect.objectContaining({ code: "not_acceptable" });
  const options = { format: 7 as ReportFormat, picture: ReportPictureName.CIRCLE, paper: ReportPaper.A4 };
  expect(() => toRenderOptions(options)).toThrow(isUnacceptable);
  expect(() => toOwnRenderOptions(options)).toThrow(isUnacceptable);
});

test("a policy for an unknown mode is refused", () => {
  const isInvalid = expect.objectContaining({ code: "invalid_request" });
  for (const mode of [7, -1, 0]) {
    const policy = create(SessionPolicySchema, { mode: mode as SessionMode });
    expect(() => readPolicyMessage(policy)).toThrow(isInvalid);
  }
});

test("an unknown rpc is unimplemented", async () => {
  const unknown = { ...SessionService.method.getSession, name: "Nothing" };
  expect((await refusal(client.unary(unknown, {}, { metadata }))).code).toBe(Code.Unimplemented);
});

test("violations are cut short before they break the connection, and the error says so", async () => {
  const { sessionId } = await client.unary(
    SessionService.method.createSession,
    { product: "values-bridge" },
    { metadata },
  );
  const answers = Array.from({ length: 1000 }, (_, index) => ({ questionId: 9_000_000 + index }));
  const message = { product: "values-bridge", sessionId, answers };
  const error = await refusal(client.unary(SessionService.method.recordAnswers, message, { metadata }));
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  expect(violations.length).toBe(20);
  expect(violations[19]).toMatchObject({ field: "answers[19].question_id", reason: "UNKNOWN_QUESTION" });
  expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ violations_truncated: "true" });
});

test.each(["x:99999999", "a b", "", "[::", "@"])("the authority %j does not end the service", async (authority) => {
  const session = connectHttp2(`http://${app.grpcAddress}`);
  session.on("error", () => undefined);
  const request = session.request({
    ":method": "POST",
    ":path": "/assessment.v1.SessionService/GetSession",
    ":authority": authority,
    "content-type": "application/grpc",
    te: "trailers",
    ...metadata,
  });
  request.on("error", () => undefined);
  const message = toBinary(RecordAnswersRequestSchema, create(RecordAnswersRequestSchema));
  request.end(Buffer.concat([Buffer.alloc(5), message]));
  await new Promise((resolve) => request.resume().on("close", resolve));
  session.destroy();
  expect((await fetch(`${app.httpUrl}/livez`)).status).toBe(200);
});

test("metadata that is not a valid header does not end the service", async () => {
  for (const name of ["x-request-id", "partner-id", "traceparent"]) {
    const call = client.unary(SessionService.method.getSession, {}, { metadata: { ...metadata, [name]: "\u007fé" } });
    expect((await refusal(call)).code).not.toBe(Code.Unknown);
  }
});
