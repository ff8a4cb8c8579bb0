// A study of made-up people as the files that the kit reads.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Study } from "./study.ts";

/** The three that the kit takes. The sittings, for whoever sends them to a service, stand beside them. */
export interface StudyFiles {
  readonly export: string;
  readonly codebook: string;
  readonly criteria: string;
}

/** Writes the files into a folder, which is made. */
export function writeStudy(folder: string, { csv, codebook, criteria, first, second }: Study): StudyFiles {
  const files = {
    export: join(folder, "sessions.csv"),
    codebook: join(folder, "codebook.json"),
    criteria: join(folder, "criteria.csv"),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(files.export, csv);
  writeFileSync(files.codebook, codebook);
  writeFileSync(files.criteria, criteria);
  writeFileSync(join(folder, "first.csv"), first);
  writeFileSync(join(folder, "second.csv"), second);
  return files;
}
