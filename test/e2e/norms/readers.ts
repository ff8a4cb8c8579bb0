// Everything that tells of norms: the transports, and the command line.
import type { TestApp } from "../../support/app.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../../support/transports/rpc-transport.ts";
import type { ChangeBody, NormsBody, Transport } from "../../support/transports/transports.ts";
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
  change(as: Asker, externalId: string): Promise<ChangeBody["change"]>;
  close(): void;
}

function overTransport(transport: Transport): NormReader {
  // Naming a partner would be acting for it.
  const callerOf = ({ token }: Asker) => ({ token });
  return {
    norms: async (as, language) =>
      bodyOf(await transport.getNorms(callerOf(as), language === undefined ? {} : { language })),
    quality: async (as, externalId) => bodyOf(await transport.getLatestQuality(callerOf(as), externalId)).quality,
    change: async (as, externalId) => bodyOf(await transport.getChange(callerOf(as), externalId)).change,
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
    change: async (as, externalId) => (await printed(["subject", "change", ...named(as, externalId)])).change,
    close: () => undefined,
  };
}

export const readers: Readonly<Record<string, (app: TestApp) => NormReader>> = {
  REST: (app) => overTransport(restTransport(app.httpUrl)),
  gRPC: (app) => overTransport(grpcTransport(app.grpcAddress)),
  Connect: (app) => overTransport(connectTransport(app.httpUrl, true)),
  "the command line": atCommandLine,
};

export type Measure = "ideal" | "current" | "gap";

/** Numbers of one score or gap. */
export interface Cell {
  readonly mean: number;
  readonly sd: number;
  readonly alpha: number;
  readonly lambda2: number;
  readonly omega: number | null;
  readonly standardError: number;
  readonly percentiles: readonly number[];
  readonly centred: { readonly from: number; readonly step: number; readonly percentiles: readonly number[] } | null;
  readonly statements: readonly { readonly itemRest: number; readonly alphaIfDropped: number }[];
}

/** The numbers of the partner's own people, in ascending value id; throws if there are none. */
export function valuesOf({ partner }: NormsBody): Record<Measure, Cell>[] {
  const { norms } = partner as { norms: { values: Record<Measure, Cell>[] } | null };
  if (norms === null) throw new Error("no norms");
  return norms.values;
}
