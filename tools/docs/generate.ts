// Writes the documentation that code knows: npm run docs.
import { writeFileSync } from "node:fs";
import { documents } from "./documents.ts";

for (const [file, content] of documents()) writeFileSync(file, content);
