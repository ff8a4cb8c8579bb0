// Everything that tells of norms: the transports, and the command line.
import type { TestApp } from "../../support/app.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { NormsBody, Transport } from "../../support/transports/transports.ts";
import { bodyOf } from "../cases/case.ts";

/** A partner that asks. */
export interface Asker {
  readonly partnerId: string;
  readonly token: string;
}

export interface NormReader {
  norms(as: Asker, language?: string): Promise<NormsBody>;
  /** The block of quality of the session that a person completed last. */
  quality(as: Asker, externalId: string): Promise<unknown>;
  close(): void;
}

function overTransport(transport: Transport): NormReader {
  // Naming a partner would be acting for it.
  const callerOf = ({ token }: Asker) => ({ token });
  return {
    norms: async (as, language) =>
      bodyOf(await transport.getNorms(callerOf(as), language === undefined ? {} : { language })),
    quality: async (as, externalId) => bodyOf(await transport.getLatestQuality(callerOf(as), externalId)).quality,
    close: () => transport.close(),
  };
}

function atCommandLine(app: TestApp): NormReader {
  const printed = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await runPas(words, { DATABASE_URL: app.database.url });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const named = (as: Asker, externalId?: string) => [
    ...["--partner", as.partnerId],
    ...(externalId === undefined ? [] : ["--external-id", externalId]),
  ];
  return {
    norms: (as, language) =>
      printed(["norms", "show", ...named(as), ...(language === undefined ? [] : ["--language", language])]),
    quality: async (as, externalId) =>
      (await printed(["subject", "export", ...named(as, externalId)])).sessions.at(-1).quality,
    close: () => undefined,
  };
}

export const readers: Readonly<Record<string, (app: TestApp) => NormReader>> = {
  REST: (app) => overTransport(restTransport(app.httpUrl)),
  gRPC: (app) => overTransport(grpcTransport(app.grpcAddress)),
  Connect: (app) => overTransport(connectTransport(app.httpUrl, true)),
  "the command line": atCommandLine,
};
