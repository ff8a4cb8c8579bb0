// Commands for sessions, and how long they are kept.
import { type Command, Option } from "@commander-js/extra-typings";
import { answerProgresses } from "../../domain/sessions/progress.ts";
import { sessionStates } from "../../kernel/session-states.ts";
import type { OpenContext } from "../command.ts";
import { days, time, uuid, version } from "./values.ts";

/** Declares `pas sessions …`, `pas groups …`, `pas subject …` and `pas retention …`. */
export function addSessionCommands(pas: Command, open: OpenContext): void {
  addStoredSessionCommands(pas, open);
  addGroupCommands(pas, open);
  addSubjectCommands(pas, open);
  addRetentionCommands(pas, open);
}

function addStoredSessionCommands(pas: Command, open: OpenContext): void {
  const sessions = pas.command("sessions").description("stored sessions");
  const commands = () => import("../sessions/sessions.ts");
  sessions
    .command("list")
    .description("print the sessions of a partner, one a line, the newest first")
    .requiredOption("--partner <id>", "id of the partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .addOption(new Option("--status <status>", "only those in this state").choices(sessionStates))
    .addOption(new Option("--mode <mode>", "only those of this mode").choices(["headless", "hosted"] as const))
    .option("--external-id <id>", "only those of this person, as the partner names it")
    // `--version` is that of the program, wherever it stands.
    .option("--assessment-version <n>", "only those of this version of the instrument", version)
    .option("--group <id>", "only those of this group", uuid)
    .option("--created-after <time>", "only those created at this time or later", time)
    .option("--created-before <time>", "only those created before this time", time)
    .option("--completed-after <time>", "only those completed at this time or later", time)
    .option("--completed-before <time>", "only those completed before this time", time)
    .addOption(
      new Option("--progress <progress>", "only those of which this much is answered").choices(answerProgresses),
    )
    .option("--last-activity-before <time>", "only those to which nothing has happened from this time on", time)
    .action(async (options) => (await commands()).printSessions(open(), options));
  sessions
    .command("cancel")
    .description("end a session for good before its completion; it may be repeated, and is recorded in the audit log")
    .argument("<id>", "id of the session", uuid)
    .requiredOption("--partner <id>", "id of its partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .option("--erase-answers", "erase the answers given so far; they are kept unless you say this")
    .action(async (id, options) => (await commands()).cancel(open(), id, options));
  sessions
    .command("link")
    .description(
      "make a new link for a hosted session; those before end, with what they opened; it is recorded in the audit log",
    )
    .argument("<id>", "id of the session", uuid)
    .requiredOption("--partner <id>", "id of its partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .option("--expires <time>", "when the link ends; after seven days unless you say it", time)
    .action(async (id, options) => (await commands()).link(open(), id, options));
  sessions
    .command("rescore")
    .description("score the completed sessions whose scoring failed")
    .action(async () => (await commands()).rescore(open()));
}

function addGroupCommands(pas: Command, open: OpenContext): void {
  const groups = pas
    .command("groups")
    .description("teams, classes and cohorts of partners; their numbers are not shown");
  const commands = () => import("../sessions/groups.ts");
  groups
    .command("list")
    .description("print the groups of a partner, one a line, the newest first")
    .requiredOption("--partner <id>", "id of the partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .action(async (options) => (await commands()).printGroups(open(), options));
  groups
    .command("show")
    .description("print a group, and how many of its people have answered")
    .argument("<id>", "id of the group", uuid)
    .requiredOption("--partner <id>", "id of its partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .action(async (id, options) => (await commands()).showGroup(open(), id, options));
  groups
    .command("close")
    .description(
      "close a group for good, and compute its numbers; it may be repeated, and is recorded in the audit log",
    )
    .argument("<id>", "id of the group", uuid)
    .requiredOption("--partner <id>", "id of its partner", uuid)
    .option("--product <product>", "the assessment", "values-bridge")
    .action(async (id, options) => (await commands()).close(open(), id, options));
}

function addSubjectCommands(pas: Command, open: OpenContext): void {
  const subject = pas.command("subject").description("persons, as their partners name them");
  subject
    .command("export")
    .description("print all that is held of a person, as one JSON; it is recorded in the audit log")
    .requiredOption("--partner <id>", "id of the partner", uuid)
    .requiredOption("--external-id <id>", "the partner's identifier of the person")
    .option("--product <product>", "the assessment", "values-bridge")
    .action(async (options) => (await import("../sessions/subjects.ts")).exportPerson(open(), options));
  subject
    .command("erase")
    .description("remove all that is held of a person, for good; it may be repeated, and is recorded in the audit log")
    .requiredOption("--partner <id>", "id of the partner", uuid)
    .requiredOption("--external-id <id>", "the partner's identifier of the person")
    .action(async (options) => (await import("../sessions/subjects.ts")).erasePerson(open(), options));
  subject
    .command("change")
    .description("print what changed between two completed sessions of a person; it is recorded in the audit log")
    .requiredOption("--partner <id>", "id of the partner", uuid)
    .requiredOption("--external-id <id>", "the partner's identifier of the person")
    .option("--product <product>", "the assessment", "values-bridge")
    .option("--from <id>", "the earlier session; unless given, the last one completed before the other", uuid)
    .option("--to <id>", "the later session; unless given, the one completed last", uuid)
    .action(async (options) => (await import("../sessions/subjects.ts")).showChange(open(), options));
}

function addRetentionCommands(pas: Command, open: OpenContext): void {
  const retention = pas.command("retention").description("when sessions expire, and when they are deleted");
  retention
    .command("show")
    .description("show the policies of a partner, one for each mode")
    .argument("<id>", "id of the partner")
    .action(async (id) => (await import("../partners/retention.ts")).showPolicies(open(), id));
  retention
    .command("set")
    .description("change a policy of a partner: what is not named stays, `never` removes it")
    .argument("<id>", "id of the partner")
    .addOption(
      new Option("--mode <mode>", "whose policy it is").choices(["headless", "hosted"] as const).makeOptionMandatory(),
    )
    .option(
      "--expire <days>",
      "days from creation until a hosted session expires, unless its request says otherwise",
      days,
    )
    .option("--completed <days>", "days from completion until a completed session is deleted", days)
    .option("--answers <days>", "days from completion until the answers of a completed session are deleted alone", days)
    .option("--results <days>", "days from completion until the results of a completed session are deleted alone", days)
    .option("--open <days>", "days from creation until a session that is not completed is deleted", days)
    .action(async (id, options) => (await import("../partners/retention.ts")).setPolicy(open(), id, options));
  retention
    .command("run")
    .description("delete now what is due, as the service does by itself every hour")
    .option("--dry-run", "count it, and delete nothing")
    .action(async (options) => (await import("../partners/retention.ts")).runRetention(open(), options));
}
