// The door of people: hosted pages over a transport, and nothing deeper. Errors are answered in words, as pages.
import type { Transport } from "@connectrpc/connect";
import fastifyCookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { addAssets } from "./assets.ts";
import { HostedClient } from "./hosted-client.ts";
import { answerObstacle } from "./obstacles.ts";
import { fromServerError, PageError } from "./page-error.ts";
import { hostedPrefix } from "./paths.ts";
import { addLinkRoute } from "./routes/link.ts";
import { addQuestionRoutes } from "./routes/questions.ts";
import { addSessionRoutes } from "./routes/session.ts";
import { VisitCookies } from "./visit-cookies.ts";
import { VisitPages } from "./visit-pages.ts";

/** A form of a thousand answers is far smaller. */
const maxFormBytes = 64 * 1024;

export interface WebOptions {
  /** The pipeline, in this process or another. */
  readonly transport: Transport;
  readonly publicUrl: () => string;
  /** Told of a request that ended with an error which no call of the pipeline has reported. */
  readonly reportDefect: (error: unknown, requestId: string) => void;
}

/** Adds the hosted pages to an HTTP server. */
export async function addWeb(http: FastifyInstance, options: WebOptions): Promise<void> {
  await http.register(hostedPages(options), { prefix: hostedPrefix });
}

function hostedPages({ transport, publicUrl, reportDefect }: WebOptions): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    await app.register(fastifyCookie);
    await app.register(formbody, { bodyLimit: maxFormBytes });
    app.decorateRequest("appearance", null);
    const client = new HostedClient(transport);
    const cookies = new VisitCookies(publicUrl);
    const pages = new VisitPages({ client, cookies, assets: addAssets(app, hostedPrefix), publicUrl });

    app.setErrorHandler((error, request, reply) => {
      const obstacle = fromServerError(error);
      if (obstacle.obstacle === "defect" && !(error instanceof PageError)) reportDefect(error, request.id);
      return answerObstacle(pages, obstacle, request, reply);
    });
    app.setNotFoundHandler((request, reply) =>
      answerObstacle(pages, new PageError("nothingHere", 404), request, reply),
    );

    addLinkRoute(app, { pages, cookies });
    addSessionRoutes(app, pages);
    addQuestionRoutes(app, pages);
  };
}
