// Starting the bare server, with what it needs to answer as the service does.
import type { Target } from "../load/orders.ts";
import type { BareServerOptions } from "../references/bare-server.ts";
import type { Script, Step } from "../references/script.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { Child } from "./child.ts";

export interface BareServer {
  readonly pid: number;
  readonly target: Target;
  stop(): Promise<void>;
}

export interface BareOptions {
  readonly database: BenchDatabase;
  /** The service's REST transport, whose answers are repeated. */
  readonly service: Target;
  readonly script: Script;
  readonly poolSize: number;
  readonly nodeOptions: readonly string[];
}

/** Starts it on the same database as the service. */
export async function startBareServer(options: BareOptions): Promise<BareServer> {
  const { database, service, script, poolSize, nodeOptions } = options;
  const child = new Child<BareServerOptions, number>("test/bench/references/bare-server.ts", nodeOptions);
  const { answers } = service.sample;
  const port = await child.ask({
    address: database.address,
    poolSize,
    script,
    ...(await recordBodies(service)),
    firstQuestionId: answers[0]?.questionId ?? 0,
    questionCount: answers.length,
  });
  return { pid: child.pid, target: { ...service, port }, stop: () => child.stop() };
}

/** The bodies that the service answers one whole assessment with. */
async function recordBodies({ port, token, sample }: Target) {
  const sessions = `http://127.0.0.1:${port}/v1/${sample.product}/sessions`;
  const headers = { authorization: `Bearer ${token}` };
  const post = (path: string, body?: unknown) =>
    read(path, body === undefined ? {} : { body: JSON.stringify(body) }, "POST");
  const read = async (path: string, init: { body?: string }, method: string): Promise<string> => {
    const type = init.body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(sessions + path, { ...init, method, headers: { ...headers, ...type } });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  const create = await post("", { subject: { externalId: "person-of-the-bare-srv." } });
  const { sessionId } = JSON.parse(create) as { sessionId: string };
  const answers = sample.answers.map(({ questionId, value }) => ({ questionId, response: { type: "likert", value } }));
  const bodies: Record<Step, string> = {
    create,
    record: await post(`/${sessionId}/answers`, { answers }),
    complete: await post(`/${sessionId}/complete`),
    results: await read(`/${sessionId}/results`, {}, "GET"),
  };
  return { sessionId, bodies };
}
