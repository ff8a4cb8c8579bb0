// No event is ever lost, skipped or doubled, though processes that make and deliver them end or stand still.
import { eventProcesses } from "./cases/events/event-processes.ts";
import { proveOnDatabases } from "./cases/on-databases.ts";

proveOnDatabases([eventProcesses]);
