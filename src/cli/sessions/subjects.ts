// pas subject …: what is held of one person.
import { setImmediate as yieldToCalls } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { recordAct, recordRead } from "../../domain/audit/acts.ts";
import { subjectOf } from "../../domain/identifiers.ts";
import { subjectExportText } from "../../gateway/exports/subject-record-json.ts";
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { HeldSessionSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import { SubjectSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { GetChangeResponseSchema, SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import type { Domain } from "../../process/core.ts";
import { exportSubject } from "../../services/exports/export-subject.ts";
import { toSubjectRecordMessage } from "../../services/exports/subject-record-messages.ts";
import { getPartner } from "../../services/identity/partners.ts";
import { inTimeOf } from "../../services/sandbox/test-clock.ts";
import { getChange } from "../../services/sessions/change.ts";
import { toPersonChangeMessage } from "../../services/subjects/subject-service.ts";
import { eraseSubject, operatorClientId } from "../../services/subjects/subjects.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, withDomain } from "../database.ts";
import { unlessFound, unlessKnown } from "../faults.ts";

const changeJson = toJson(GetChangeResponseSchema);

export interface SubjectOptions {
  /** Id of the partner. */
  readonly partner: string;
  readonly product: string;
  /** The partner's identifier of the person. */
  readonly externalId: string;
}

/** Prints all that is held of a person: one JSON, as the interface gives it. */
export async function exportPerson(context: CommandContext, options: SubjectOptions): Promise<void> {
  await withDomain(context, (domain) => printPages(context, domain, options)).catch(
    unlessFound("nothing is held of such a person at that partner"),
  );
}

async function printPages(context: CommandContext, domain: Domain, options: SubjectOptions): Promise<void> {
  const { partner: partnerId, product, externalId } = options;
  const text = subjectExportText(product, create(SubjectSchema, subjectOf(partnerId, externalId)));
  const write = (part: string) => context.writeBytes(Buffer.from(part));
  const person = { partnerId, product, externalId };
  let lead = text.head;
  for (let after = ""; ; ) {
    const { sessions, nextCursor, isEnd } = await exportSubject(
      { ...domain, yieldToCalls },
      person,
      { after, pageSize: 0 },
      commandDeadline(),
    );
    const ids = sessions.map(({ record }) => record.session.id);
    await recordRead(domain, { action: ExportService.method.exportSubject, partnerId }, ids);
    const { messages } = domain.catalogue.product;
    const { clock } = await inTimeOf(domain, partnerId, commandDeadline().signal);
    for (const session of sessions) {
      write(lead + text.row(create(HeldSessionSchema, toSubjectRecordMessage(session, clock(), messages))));
      lead = text.separator;
    }
    if (isEnd) return write(`${text.tail(nextCursor, true)}\n`);
    after = nextCursor;
  }
}

/** Removes all that is held of a person at a partner, as the interface does, and prints how many sessions that were. */
export async function erasePerson(
  context: CommandContext,
  { partner, externalId }: Omit<SubjectOptions, "product">,
): Promise<void> {
  const sessionsErased = await withDomain(context, async (domain, deadline) => {
    const { id: partnerId } = await getPartner(domain, partner, deadline).catch(unlessKnown("partner"));
    const person = { partnerId, clientId: operatorClientId, externalId };
    return recordAct(domain, { action: SubjectService.method.eraseSubject, partnerId }, () =>
      eraseSubject(domain, person, deadline),
    ).catch(unlessFound("nothing is held of such a person at that partner"));
  });
  context.print({ sessionsErased });
}

export interface ChangeOptions extends SubjectOptions {
  /** Ids of sessions; left out: the latest two that were completed. */
  readonly from?: string;
  readonly to?: string;
}

/** Prints what changed between two completed sessions of a person, as the interface gives it. */
export async function showChange(context: CommandContext, options: ChangeOptions): Promise<void> {
  const { partner: partnerId, product, externalId, from, to } = options;
  const message = await withDomain(context, async (domain, deadline) => {
    const found = await getChange(domain, { partnerId, product, externalId, from, to }, deadline);
    const ids = [found.from.session.id, found.to.session.id];
    await recordRead(domain, { action: SubjectService.method.getChange, partnerId }, ids);
    return toPersonChangeMessage(externalId, found, domain.catalogue.product.messages);
  }).catch(unlessFound("there are no two such completed sessions, with answers, of such a person"));
  context.print(changeJson(create(GetChangeResponseSchema, message)));
}
