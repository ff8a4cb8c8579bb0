// The bare server, a process of its own: the least that a hand-written Fastify and mysql2 server could do. It answers
// the four requests of a whole assessment with the bytes that the service would send, and sends the database the same
// statements through mysql2's pool. It does not ask who calls, checks nothing, and its results are a constant.
// It is the yardstick, so it is written to win.
import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import { createPool, type Pool } from "mysql2";
import { v7 as uuidv7 } from "uuid";
import type { DatabaseAddress } from "../../../src/database/database.ts";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { answerParent } from "../servers/child.ts";
import type { Script, Step } from "./script.ts";
import { runStatements } from "./statement-values.ts";

export interface BareServerOptions {
  readonly address: DatabaseAddress;
  readonly poolSize: number;
  readonly script: Script;
  /** What the service answered for one session. */
  readonly bodies: Readonly<Record<Step, string>>;
  /** Id of that session: it stands once in each body, near its start. */
  readonly sessionId: string;
  /** Ids of questions are counted from here. */
  readonly firstQuestionId: number;
  readonly questionCount: number;
}

interface CreateBody {
  readonly subject: { readonly externalId: string };
}

interface AnswersBody {
  readonly answers: readonly { readonly questionId: number; readonly response: { readonly value: number } }[];
}

interface SessionParams {
  readonly id: string;
}

/** Shorter bodies are joined: one string is written faster than two parts. */
const minUncopiedBytes = 16_384;

answerParent(async (options: BareServerOptions): Promise<number> => {
  const app = createServer(options, openPool(options));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
});

function createServer({ script, bodies, sessionId, ...options }: BareServerOptions, pool: Pool): FastifyInstance {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    done(null, JSON.parse(body as string));
  });
  const answer = {
    create: answerAround(bodies.create, sessionId),
    record: answerAround(bodies.record, sessionId),
    complete: answerAround(bodies.complete, sessionId),
    results: answerAround(bodies.results, sessionId),
  };

  app.post<{ Body: CreateBody }>("/v1/:product/sessions", async (request, reply) => {
    const id = uuidv7();
    const externalId = Buffer.from(request.body.subject.externalId);
    await runStatements(pool, script.create, { id: uuidToBytes(id), externalId });
    answer.create(reply, 201, id);
  });

  app.post<{ Params: SessionParams; Body: AnswersBody }>(
    "/v1/:product/sessions/:id/answers",
    async (request, reply) => {
      const { id } = request.params;
      const answers = Buffer.alloc(options.questionCount);
      for (const { questionId, response } of request.body.answers) {
        answers[questionId - options.firstQuestionId] = response.value + 1;
      }
      await runStatements(pool, script.record, { id: uuidToBytes(id), answers });
      answer.record(reply, 200, id);
    },
  );

  app.post<{ Params: SessionParams }>("/v1/:product/sessions/:id/complete", async (request, reply) => {
    const { id } = request.params;
    await runStatements(pool, script.complete, { id: uuidToBytes(id) });
    answer.complete(reply, 200, id);
  });

  app.get<{ Params: SessionParams }>("/v1/:product/sessions/:id/results", async (request, reply) => {
    const { id } = request.params;
    await runStatements(pool, script.results, { id: uuidToBytes(id) });
    answer.results(reply, 200, id);
  });
  return app;
}

type Answer = (reply: FastifyReply, status: number, id: string) => void;

/** Sends the body with another session's id in it, past all that Fastify does to replies. */
function answerAround(body: string, sessionId: string): Answer {
  const at = body.indexOf(sessionId);
  const before = body.slice(0, at);
  const after = body.slice(at + sessionId.length);
  const bytesAfter = Buffer.from(after);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  };
  return (reply, status, id) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(status, headers);
    if (bytesAfter.length < minUncopiedBytes) {
      raw.end(before + id + after);
      return;
    }
    // Two parts in one system call: so the large one is never copied.
    raw.cork();
    raw.write(before + id);
    raw.end(bytesAfter);
  };
}

function openPool({ address, poolSize }: BareServerOptions): Pool {
  const where = "url" in address ? { uri: address.url } : address;
  const pool = createPool({ ...where, connectionLimit: poolSize, timezone: "Z" });
  // The isolation that the service works at; the default one costs more.
  pool.on("connection", (connection) => connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"));
  return pool;
}
