// Writes the documentation that code knows: npm run docs.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { documents } from "./documents.ts";

for (const [file, content] of await documents()) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
