// Groups: creating, listing and reading them.

import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AssessmentForm, PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { newId } from "../../domain/identifiers.ts";
import {
  type GetGroupNumbersResponseSchema,
  type Group,
  GroupSchema,
  GroupState,
  GroupWithheldReason,
  type ListGroupsRequest,
  ListGroupsRequestSchema,
} from "../../gen/assessment/v1/group_service_pb.ts";
import { byWord } from "../../json/members.ts";
import { messageOf } from "../../json/message-of.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { GroupNumbers, ProductMessages } from "../../products/product.ts";
import type { GroupCounts, GroupWithheld, StoredGroup } from "../../store/groups/group-store.ts";
import type { Needs } from "../dependencies.ts";
import { listCursor, listOf, readListCursor } from "../sessions/session-lists.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { type GroupRequest, groupRequestViolations, groupTimeViolations } from "./group-request.ts";

/** Groups of a partner, at most: nothing removes them. */
export const maxGroups = 10_000;
const defaultPageSize = 50;

export type GroupDeps = Needs<"groups" | "catalogue" | "clock" | "monotonic" | "random">;

export interface CreateGroupCommand extends GroupRequest {
  readonly product: string;
  /** When it closes automatically; undefined: never. */
  readonly closesAt: Date | undefined;
  /** Its parent group, whose form it has; undefined: none. */
  readonly parentId: string | undefined;
  readonly form: AssessmentForm;
}

/** A group as its partner sees it. */
export interface ReportedGroup {
  readonly group: StoredGroup;
  /** The version that all of its sessions have. */
  readonly assessment: PublishedAssessment;
}

const nobody: GroupCounts = { size: 0, started: 0, completed: 0 };

/** Names a group of a partner in a product. */
export interface GroupAddress {
  readonly partnerId: string;
  readonly product: string;
  readonly groupId: string;
}

/** The numbers of a group, or why it has none. */
export type GroupOutcome = { readonly numbers: GroupNumbers } | { readonly reason: GroupWithheld | "open" };

/**
 * Creates a group, or returns the earlier one of the same idempotency key.
 * Throws `not_found` (product), `invalid_request`, `group_closed` (the parent), `idempotency_key_reused` and `limit_reached`.
 */
export async function createGroup(
  deps: GroupDeps,
  partnerId: string,
  command: CreateGroupCommand,
  deadline: Deadline,
): Promise<ReportedGroup & { readonly replayed: boolean }> {
  const published = await deps.catalogue.published(command.product);
  refuseIfAny(groupRequestViolations(command));
  const parent = await parentOf(deps, partnerId, command, deadline);
  const { form } = command;
  const assessment =
    parent === null ? await deps.catalogue.inForm(published, form) : await deps.catalogue.byId(parent.assessmentId);
  const { signal } = deadline;
  const { idempotencyKey: key, closesAt = null, label, product } = command;
  const idempotency = key === undefined ? null : { key, requestHash: commandHash(command) };
  const createdAt = new Date(deps.clock());
  const violations = groupTimeViolations(closesAt, createdAt.getTime());
  const replay = async () => {
    const found = idempotency && (await deps.groups.findGroupByKey(partnerId, idempotency.key, signal));
    if (!found) return undefined;
    if (!Buffer.from(found.requestHash).equals(idempotency.requestHash)) {
      throw new Refusal("idempotency_key_reused", details.idempotency_key_reused);
    }
    return found.group;
  };
  const id = newId(createdAt, deps.random);
  const parentId = parent?.id ?? null;
  const group = {
    id,
    partnerId,
    product,
    assessmentId: assessment.id,
    parentId,
    label,
    createdAt,
    closesAt,
    idempotency,
  };
  // A repeated request gets the same response, even if its time has come meanwhile.
  const outcome = violations.length > 0 ? "key_taken" : await deps.groups.insertGroup(group, maxGroups, signal);
  if (outcome === "limit_reached") throw new Refusal("limit_reached", `A partner has at most ${maxGroups} groups.`);
  if (outcome === "parent_closed")
    throw new Refusal("group_closed", "The group of which it is to be a part is closed.");
  if (outcome === "inserted") {
    return { group: { ...group, closedAt: null, withheld: null, counts: nobody }, assessment, replayed: false };
  }
  const found = await replay();
  if (found === undefined) throw invalidRequest(violations);
  return { ...(await report(deps, found)), replayed: found.id !== id };
}

/** The parent of a new group; null: none. Throws `invalid_request`. */
async function parentOf(
  { groups }: Needs<"groups">,
  partnerId: string,
  { product, parentId }: CreateGroupCommand,
  { signal }: Deadline,
): Promise<StoredGroup | null> {
  if (parentId === undefined) return null;
  const id = parseUuid(parentId);
  const parent = id === undefined ? undefined : await groups.findGroup({ partnerId, id }, signal);
  if (parent?.product === product && parent.parentId === null) return parent;
  const detail =
    parent?.product === product
      ? "That group is a part of another one, and a part has no parts. Name the group that it is a part of."
      : "There is no such group of this product. Create it first.";
  throw invalidRequest([{ path: ["parentId"], code: "unknown_group", detail }]);
}

/** A group of the partner. Throws `not_found`. */
export async function getGroup(
  deps: Needs<"groups" | "catalogue">,
  address: GroupAddress,
  deadline: Deadline,
): Promise<ReportedGroup> {
  return report(deps, await findGroup(deps, address, deadline));
}

/** A page of groups, newest first. Throws `not_found` (product) and `invalid_request`. */
export async function listGroups(
  deps: Needs<"groups" | "catalogue">,
  partnerId: string,
  request: ListGroupsRequest,
  deadline: Deadline,
): Promise<{ groups: ReportedGroup[]; next: string }> {
  const { product, pageSize, after } = request;
  await deps.catalogue.published(product);
  const list = listOf(ListGroupsRequestSchema, partnerId, request);
  const before = after === "" ? undefined : readListCursor(after, list);
  const limit = pageSize === 0 ? defaultPageSize : pageSize;
  const found = await deps.groups.listGroups(partnerId, product, before, limit + 1, deadline.signal);
  const listed = found.slice(0, limit);
  const groups = await Promise.all(listed.map((group) => report(deps, group)));
  const last = groups.at(-1);
  const isMore = found.length > limit && last !== undefined;
  return { groups, next: isMore ? listCursor(last.group.id, list) : "" };
}

/** The numbers of a group, or why it has none. Throws `not_found`. */
export async function getGroupNumbers(
  deps: Needs<"groups" | "catalogue">,
  address: GroupAddress,
  deadline: Deadline,
): Promise<ReportedGroup & { readonly outcome: GroupOutcome }> {
  const group = await findGroup(deps, address, deadline);
  const assessment = await deps.catalogue.byId(group.assessmentId);
  if (group.closedAt === null) return { group, assessment, outcome: { reason: "open" } };
  const numbers = group.withheld === null ? await deps.groups.findNumbers(group, deadline.signal) : null;
  // Withdrawn between the two statements.
  if (numbers === null) return { group, assessment, outcome: { reason: group.withheld ?? "withdrawn" } };
  return { group, assessment, outcome: { numbers: JSON.parse(numbers) as GroupNumbers } };
}

/** The stored group. Throws `not_found`. */
export async function findGroup(
  { groups }: Needs<"groups">,
  { partnerId, product, groupId }: GroupAddress,
  { signal }: Deadline,
): Promise<StoredGroup> {
  const id = parseUuid(groupId);
  const group = id === undefined ? undefined : await groups.findGroup({ partnerId, id }, signal);
  if (group === undefined || group.product !== product) throw notFound();
  return group;
}

/** The group with its version. */
export async function report({ catalogue }: Needs<"catalogue">, group: StoredGroup): Promise<ReportedGroup> {
  return { group, assessment: await catalogue.byId(group.assessmentId) };
}

function commandHash({ product, label, closesAt, parentId, form }: CreateGroupCommand): Uint8Array {
  const meaning = [product, label, closesAt?.getTime() ?? null, parentId?.toLowerCase() ?? null, form];
  return createHash("sha256").update(JSON.stringify(meaning)).digest();
}

const reasons = byWord(GroupWithheldReason);

const toGroup = messageOf(GroupSchema);

/** A group as its partner sees it. */
export function toGroupMessage({ group, assessment }: ReportedGroup): Group {
  const state = group.closedAt === null ? GroupState.OPEN : GroupState.CLOSED;
  const { version: assessmentVersion, form } = assessment;
  return toGroup({ ...group, ...group.counts, groupId: group.id, state, assessmentVersion, form });
}

/** The numbers of a group, or why there are none. */
export function toNumbersMessage(
  { group, assessment, outcome }: Awaited<ReturnType<typeof getGroupNumbers>>,
  messages: ProductMessages,
): MessageInitShape<typeof GetGroupNumbersResponseSchema> {
  const { id, product, closedAt } = group;
  return {
    groupId: id,
    product,
    assessmentVersion: assessment.version,
    closedAt: toTimestamp(closedAt),
    ...("numbers" in outcome
      ? { numbers: messages.groupNumbers(outcome.numbers) }
      : { reason: reasons[outcome.reason] }),
  };
}
