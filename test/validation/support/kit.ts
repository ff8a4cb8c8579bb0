// Runs the validation kit on studies of made-up people.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runKit } from "../../../tools/validation/kit.ts";
import type { Study } from "../../../tools/validation/seeded/study.ts";
import { type StudyFiles, writeStudy } from "../../../tools/validation/seeded/write.ts";

export interface Outputs {
  /** validation.json. */
  readonly json: string;
  readonly html: string;
}

interface Given {
  readonly withCriteria?: boolean;
  readonly retest?: boolean;
  readonly madeUp?: boolean;
  /** Of the distances of the circle. */
  readonly permutations?: number;
  /** Names of the sections to make; all. */
  readonly only?: readonly string[];
}

/** What the kit makes of a study. @throws Error with its message if it refuses */
export function validated(study: Study, { permutations = 40, ...given }: Given = {}): Outputs {
  return inFolder(study, ({ criteria, ...files }, folder) => {
    const options = [
      ...["--draws=2", `--permutations=${permutations}`, `--out=${folder}`],
      ...(given.withCriteria ? [`--criteria=${criteria}`] : []),
      ...(given.retest ? ["--retest"] : []),
      ...(given.madeUp ? ["--made-up"] : []),
      ...(given.only === undefined ? [] : [`--only=${given.only.join(",")}`]),
    ];
    const { status, stderr } = runKit([files.export, files.codebook, ...options]);
    if (status !== 0) throw new Error(stderr);
    const [json, html] = ["json", "html"].map((ending) => readFileSync(join(folder, `validation.${ending}`), "utf8"));
    return { json: json ?? "", html: html ?? "" };
  });
}

/** Does something with the files of a study, which are gone afterwards. */
function inFolder<T>(study: Study, use: (files: StudyFiles, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "pas-validation-test-"));
  try {
    return use(writeStudy(folder, study), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
