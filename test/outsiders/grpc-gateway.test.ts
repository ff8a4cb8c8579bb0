// A REST gateway that grpc-gateway's own generator makes of the protos, in front of the gRPC port, serves a whole
// assessment. What it says otherwise than the service's own gateway is what docs/connect.md lists.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, startServed } from "../support/transports/served.ts";
import { pathOf } from "./support/means.ts";
import { run, runIn } from "./support/run.ts";

const source = "test/outsiders/grpc-gateway";
const plugins = ["protoc-gen-go", "protoc-gen-go-grpc", "protoc-gen-grpc-gateway"] as const;
const places = plugins.flatMap((name) => pathOf(name) ?? []).map(dirname);
const go = pathOf("go");

interface Assessment {
  readonly questions: readonly { readonly id: number; readonly type: string }[];
}

/** What is read here of the bodies of both gateways. */
interface Body extends Readonly<Record<string, unknown>> {
  readonly sessionId: string;
  /** The service's own gateway has the assessment here, the other one in `headless`. */
  readonly assessment?: Assessment;
  readonly headless?: { readonly assessment: Assessment };
  readonly results?: object;
}

interface Answer {
  readonly status: number;
  readonly body: Body;
}

if (go !== undefined && places.length === plugins.length) {
  let folder: string;
  let service: Served;
  let gateway: ChildProcess;
  let address: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pas-grpc-gateway-"));
    const PATH = [...places, process.env.PATH].join(delimiter);
    await run("buf", ["generate", "--template", `${source}/buf.gen.yaml`, "--output", folder], { PATH });
    for (const file of ["main.go", "go.mod", "go.sum"]) await copyFile(join(source, file), join(folder, file));
    await runIn(folder, go, ["build", "-o", "gateway", "."]);
    service = await startServed();
    gateway = spawn(join(folder, "gateway"), [service.grpcAddress], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface({ input: gateway.stdout ?? process.stdin }), "line");
    address = `http://${line}`;
  });
  afterAll(async () => {
    gateway?.kill("SIGKILL");
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function call(base: string, method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${base}/v1/values-bridge${path}`, {
      method,
      headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** Plays a whole assessment. @returns what was answered, and what differs by design */
  async function play(base: string) {
    const created = await call(base, "POST", "/sessions", { subject: { externalId: "judge" } });
    const { questions } = created.body.headless?.assessment ?? created.body.assessment ?? { questions: [] };
    const answers = questions.map(({ id, type }) => ({ questionId: id, response: { type, value: 1 + (id % 7) } }));
    const path = `/sessions/${created.body.sessionId}`;
    const recorded = await call(base, "POST", `${path}/answers`, { answers: answers.slice(0, 80) });
    const open = await call(base, "GET", path);
    const rest = { answers: answers.slice(80), requireAnswered: true };
    const completed = await call(base, "POST", `${path}/complete`, rest);
    const results = await call(base, "GET", `${path}/results`);
    const wrong = await call(base, "POST", `${path}/answers`, { answers: [{ ...answers[0], questionId: 1 }] });
    return { created, recorded, open, completed, results, wrong, questions };
  }

  describe("a gateway by grpc-gateway", () => {
    let theirs: Awaited<ReturnType<typeof play>>;
    let ours: Awaited<ReturnType<typeof play>>;
    beforeAll(async () => {
      [theirs, ours] = [await play(address), await play(service.httpUrl)];
    });

    test("a gateway by grpc-gateway serves a whole assessment, with the results of the service's own", () => {
      const { recorded, completed, results, questions } = theirs;
      expect([questions.length, recorded.body.recorded]).toEqual([152, 80]);
      expect(results).toMatchObject({ status: 200, body: { sessionId: theirs.created.body.sessionId } });
      expect(completed.body.results).toEqual(results.body.results);
      expect(results.body.results).toEqual(ours.results.body.results);
    });

    test("a gateway by grpc-gateway differs from the service's own where docs/connect.md says so", () => {
      const differences = [
        [201, ours.created.status, 200, theirs.created.status],
        ["in_progress", ours.open.body.status, "SESSION_STATUS_IN_PROGRESS", theirs.open.body.status],
        ["null", String(ours.open.body.completedAt), "absent", theirs.open.body.completedAt ?? "absent"],
        [
          "assessment",
          ours.created.body.assessment && "assessment",
          "headless",
          theirs.created.body.headless && "headless",
        ],
        [422, ours.wrong.status, 400, theirs.wrong.status],
        ["#/answers/0/questionId", pointerOf(ours.wrong), "answers[0].question_id", fieldOf(theirs.wrong)],
      ] as const;
      const page = readFileSync("docs/connect.md", "utf8");
      for (const [here, ofOurs, there, ofTheirs] of differences) {
        expect([ofOurs, ofTheirs]).toEqual([here, there]);
        expect(page).toMatch(row(here, there));
      }
    });
  });
}

function pointerOf({ body }: Answer): unknown {
  return (body.errors as { pointer: string }[])[0]?.pointer;
}

/** The details of an error can be read where the module that has their descriptors is linked in. */
function fieldOf({ body }: Answer): unknown {
  const details = body.details as { fieldViolations?: { field: string }[] }[];
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations)[0]?.field;
}

/** A row of a table that has both in its cells. */
function row(here: unknown, there: unknown): RegExp {
  const escaped = [here, there].map((each) => String(each).replaceAll(/[[\].]/g, "\\$&"));
  return new RegExp(`^\\|.*${escaped[0]}.*\\|.*${escaped[1]}.*\\|$`, "m");
}
