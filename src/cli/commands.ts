// Every command by its name.
import { assessmentCheck, assessmentList, assessmentPublish } from "./assessments.ts";
import { partnerBrand } from "./branding.ts";
import { type Command, type CommandContext, UsageError } from "./command.ts";
import { demoCommand } from "./demo.ts";
import { eventsList, eventsSkipAhead, eventsTail } from "./events.ts";
import { keysRotate } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { normsRebuild } from "./norms.ts";
import { clientCreate, clientDisable, clientRotate, partnerCreate } from "./partners.ts";
import { reportCommand } from "./report.ts";
import { scoreCommand } from "./score.ts";
import { serveCommand } from "./serve.ts";
import { sessionsRescore } from "./sessions.ts";
import {
  webhooksCreate,
  webhooksDisable,
  webhooksEnable,
  webhooksList,
  webhooksReplay,
  webhooksReseal,
  webhooksRotate,
  webhooksTest,
} from "./webhooks.ts";

const commands: ReadonlyMap<string, Command> = new Map([
  ["serve", serveCommand],
  ["migrate", migrateCommand],
  ["partner create", partnerCreate],
  ["partner brand", partnerBrand],
  ["client create", clientCreate],
  ["client rotate", clientRotate],
  ["client disable", clientDisable],
  ["assessment publish", assessmentPublish],
  ["assessment check", assessmentCheck],
  ["assessment list", assessmentList],
  ["keys rotate", keysRotate],
  ["sessions rescore", sessionsRescore],
  ["norms rebuild", normsRebuild],
  ["events list", eventsList],
  ["events tail", eventsTail],
  ["events skip-ahead", eventsSkipAhead],
  ["webhooks list", webhooksList],
  ["webhooks create", webhooksCreate],
  ["webhooks test", webhooksTest],
  ["webhooks enable", webhooksEnable],
  ["webhooks disable", webhooksDisable],
  ["webhooks rotate", webhooksRotate],
  ["webhooks replay", webhooksReplay],
  ["webhooks reseal", webhooksReseal],
  ["score", scoreCommand],
  ["report", reportCommand],
  ["demo", demoCommand],
]);

/** The names of all commands. */
export const commandNames: readonly string[] = [...commands.keys()];

/** Runs the command that the words name. Throws UsageError where they name none. */
export async function runCommand(words: readonly string[], context: Omit<CommandContext, "args">): Promise<void> {
  for (const length of [2, 1]) {
    const command = commands.get(words.slice(0, length).join(" "));
    if (command !== undefined && words.length >= length) return command.run({ ...context, args: words.slice(length) });
  }
  if (words.length === 0 || words[0] === "help" || words[0] === "--help") return context.say(helpText());
  throw new UsageError(`there is no such command; \`pas help\` lists them`);
}

function helpText(): string {
  const lines = [...commands].map(([name, { usage, about }]) => `  pas ${`${name} ${usage}`.trim()}\n      ${about}`);
  return ["Usage:", ...lines].join("\n");
}
