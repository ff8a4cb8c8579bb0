// Nothing acknowledged is ever lost: every fault, on every database.
import { allCases } from "./cases/all.ts";
import { proveOnDatabases } from "./cases/on-databases.ts";

proveOnDatabases(allCases);
