// Commands for sessions, and how long they are kept.
import type { Command } from "@commander-js/extra-typings";
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { PartnerService, type SessionPolicy } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionModeSchema, SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { enumWord } from "../../json/members.ts";
import type { OpenContext } from "../command.ts";
import {
  addRpcCommands,
  type Comments,
  changed,
  type Fields,
  pagesOf,
  type RpcCommand,
  type Running,
} from "../rpc-commands.ts";

const noSession = "there is no such session of that partner";
const noGroup = "there is no such group of that partner";
const noPerson = "nothing is held of such a person at that partner";

const { method: sessions } = SessionService;
const { method: groups } = GroupService;
const { method: subjects } = SubjectService;
const { method: partners } = PartnerService;

const rows: readonly RpcCommand[] = [
  {
    name: "sessions list",
    rpc: sessions.listSessions,
    // `--version` is the option of the program, at any position.
    takes:
      "status mode external_id assessment-version=version group=group_id created_after created_before " +
      "completed_after completed_before progress last_activity_before",
  },
  {
    name: "sessions cancel",
    rpc: sessions.cancelSession,
    takes: "<session_id> erase_answers",
    missing: noSession,
  },
  {
    name: "sessions link",
    rpc: sessions.createSessionLink,
    takes: "<session_id> expires=link_expires_at",
    missing: noSession,
  },
  { name: "groups list", rpc: groups.listGroups },
  { name: "groups show", rpc: groups.getGroup, takes: "<group_id>", missing: noGroup },
  { name: "groups close", rpc: groups.closeGroup, takes: "<group_id>", missing: noGroup },
  {
    name: "subject export",
    about: "prints all that is held of a person, as one JSON",
    rpc: ExportService.method.exportSubject,
    takes: "external_id!",
    missing: noPerson,
    run: exportPerson,
  },
  { name: "subject erase", rpc: subjects.eraseSubject, takes: "external_id!", missing: noPerson },
  {
    name: "subject change",
    rpc: subjects.getChange,
    takes: "external_id! from to",
    missing: "there are no two such completed sessions, with answers, of such a person",
  },
  {
    name: "retention show",
    rpc: partners.getSessionPolicies,
    takes: "<partner_id>",
    shape: (policy, { partnerId }) => ({ partnerId, ...policy }),
    isArray: true,
  },
  {
    name: "retention set",
    about: "changes a policy of a partner: what is not named stays, `never` removes it",
    rpc: partners.updateSessionPolicy,
    takes:
      "<partner_id> mode=policy.mode! expire=policy.expires_after_days completed=policy.delete_completed_after_days " +
      "answers=policy.delete_answers_after_days results=policy.delete_results_after_days open=policy.delete_open_after_days",
    run: setPolicy,
  },
];

/** Declares `pas sessions …`, `pas groups …`, `pas subject …` and `pas retention …`. */
export function addSessionCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const stored = pas.command("sessions").description("stored sessions");
  pas.command("groups").description("teams, classes and cohorts of partners; their numbers are not shown");
  pas.command("subject").description("persons, as their partners name them");
  const retention = pas.command("retention").description("when sessions expire, and when they are deleted");
  addRpcCommands(pas, open, comments, rows);
  stored
    .command("rescore")
    .description("scores the completed sessions whose scoring failed")
    .action(async () => (await import("../upkeep.ts")).rescore(open()));
  retention
    .command("run")
    .description("deletes now what is due, as the service does by itself every hour")
    .option("--dry-run", "count it, and delete nothing")
    .action(async (options) => (await import("../upkeep.ts")).runRetention(open(), options));
}

async function exportPerson({ asked, call, print }: Running): Promise<void> {
  const exportedSessions = [];
  let last: Fields = {};
  for await (const page of pagesOf(ExportService.method.exportSubject, asked, call)) {
    exportedSessions.push(...(page.sessions as Fields[]));
    last = page;
  }
  const { subject, ...end } = last;
  print({ subject, product: asked.product, ...end, sessions: exportedSessions });
}

async function setPolicy({ asked: { partnerId, policy }, call, print }: Running): Promise<void> {
  const { policies } = await call({ partnerId }, partners.getSessionPolicies);
  const word = enumWord(SessionModeSchema, (policy as SessionPolicy).mode);
  const current = (policies as Fields[]).find(({ mode }) => mode === word);
  const updated = await call({ partnerId, policy: changed(current, policy) });
  print({ partnerId, ...(updated.policy as Fields) });
}
