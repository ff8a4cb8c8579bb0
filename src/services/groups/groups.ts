// Groups: creating, listing and reading them.

import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { createOnce, hashRequest } from "../../domain/concurrent-writes.ts";
import { createId } from "../../domain/identifiers.ts";
import { findEndViolations } from "../../domain/sessions/expiry.ts";
import type {
  CreateGroupRequest,
  GetGroupRequest,
  ListGroupsRequest,
} from "../../gen/assessment/v1/group_service_pb.ts";
import { invalidFieldError, notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { findIdempotencyKeyViolations } from "../../kernel/formats.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { PartnerCall, SessionCall } from "../../pipeline/call.ts";
import type { GroupNumbers } from "../../products/product.ts";
import type { GroupWithheld, StoredGroup } from "../../store/groups/group-statements.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { Dependencies } from "../dependencies.ts";
import { parseCursor, readPage } from "../pages.ts";

/** Groups of a partner, at most: nothing removes them. */
const maxGroups = 10_000;
const defaultPageSize = 50;

/** A request that names a group of the partner in a product. */
export type GroupRequest = Pick<GetGroupRequest, "product" | "groupId">;

/** The numbers of a group, or why it has none. */
export type GroupOutcome = { readonly numbers: GroupNumbers } | { readonly reason: GroupWithheld | "open" };

/**
 * Creates a group, or returns the earlier one of the same idempotency key.
 * Throws `not_found` (product), `invalid_request`, `group_closed` (the parent), `idempotency_key_reused` and `limit_reached`.
 */
export async function createGroup(deps: Dependencies, request: CreateGroupRequest, call: SessionCall) {
  const { groups, catalogue } = deps;
  const { product, label, idempotencyKey: key } = request;
  const { partnerId, signal } = call;
  const publishedAssessment = await catalogue.getPublished(product);
  throwIfInvalid([...findLabelViolations(label), ...(key === undefined ? [] : findIdempotencyKeyViolations(key))]);
  const parent = await findParent(deps, request, call);
  const assessment =
    parent === null
      ? await catalogue.getForm(publishedAssessment, toAssessmentForm(request.form))
      : await catalogue.getById(parent.assessmentId);
  const idempotency = key === undefined ? null : { key, requestHash: hashGroupRequest(request) };
  const createdAt = new Date(call.now());
  const closesAt = request.closesAt === undefined ? null : timestampDate(request.closesAt);
  const violations = findEndViolations("closesAt", closesAt, createdAt.getTime());
  const id = createId(createdAt, deps.random);
  const place = { id, partnerId, product, assessmentId: assessment.id, parentId: parent?.id ?? null };
  const group = { ...place, label, createdAt, closesAt };
  const storedGroup = await createOnce<StoredGroup>(deps, call, {
    idempotency,
    violations,
    findByKey: (usedKey) => groups.findGroupByKey(partnerId, usedKey, signal),
    async insert() {
      const outcome = await groups.insertGroup({ ...group, idempotency }, maxGroups, signal);
      if (outcome === "limit_reached") throw new Refusal("limit_reached", `A partner has at most ${maxGroups} groups.`);
      if (outcome === "parent_closed") throw new Refusal("group_closed", "The parent group is closed.");
      return outcome === "inserted" ? { ...group, closedAt: null, withheld: null, joinCode: null } : outcome;
    },
  });
  const [description] = await describeGroups(deps, [storedGroup], call);
  return { group: description, replayed: storedGroup.id !== id };
}

/** The parent of a new group; null: none. Throws `invalid_request`. */
async function findParent(deps: Dependencies, { product, parentId }: CreateGroupRequest, call: PartnerCall) {
  if (parentId === undefined) return null;
  const parent = await requireGroup(deps, "parentId", { product, groupId: parentId }, call);
  if (parent.parentId === null) return parent;
  const detail = "That group is a part of another one, and a part has no parts. Name the group that it is a part of.";
  throw invalidFieldError(["parentId"], "unknown_group", detail);
}

/** The group that a member of a request names. Throws `invalid_request`. */
export async function requireGroup(
  deps: Dependencies,
  member: string,
  request: GroupRequest,
  call: PartnerCall,
): Promise<StoredGroup> {
  const group = await findGroup(deps, request, call);
  if (group !== undefined) return group;
  const detail = "There is no such group of this product. Create it first.";
  throw invalidFieldError([member], "unknown_group", detail);
}

/** A group of the partner. Throws `not_found`. */
export async function getGroup(deps: Dependencies, request: GroupRequest, call: PartnerCall) {
  const [group] = await describeGroups(deps, [await getStoredGroup(deps, request, call)], call);
  return { group };
}

/** A page of groups, newest first. Throws `not_found` (product) and `invalid_request`. */
export async function listGroups(deps: Dependencies, request: ListGroupsRequest, call: PartnerCall) {
  const { product, pageSize, after } = request;
  const { partnerId, signal } = call;
  await deps.catalogue.getPublished(product);
  const before = parseCursor(after, parseUuid);
  const read = (limit: number) => deps.groups.listGroups(partnerId, product, before, limit, signal);
  const { rows, next } = await readPage(pageSize || defaultPageSize, read, ({ id }) => id);
  return { groups: await describeGroups(deps, rows, call), next };
}

/** The numbers of a group, or why it has none. Throws `not_found`. */
export async function getGroupNumbers(
  deps: Dependencies,
  request: GroupRequest,
  call: PartnerCall,
): Promise<{ group: StoredGroup; assessment: PublishedAssessment; outcome: GroupOutcome }> {
  const group = await getStoredGroup(deps, request, call);
  const assessment = await deps.catalogue.getById(group.assessmentId);
  if (group.closedAt === null) return { group, assessment, outcome: { reason: "open" } };
  const numbers = group.withheld === null ? await deps.groups.findNumbers(group, call.signal) : null;
  // Withdrawn between the two statements.
  if (numbers === null) return { group, assessment, outcome: { reason: group.withheld ?? "withdrawn" } };
  return { group, assessment, outcome: { numbers: JSON.parse(numbers) as GroupNumbers } };
}

/** The stored group. Throws `not_found`. */
export async function getStoredGroup(deps: Dependencies, request: GroupRequest, call: PartnerCall) {
  const group = await findGroup(deps, request, call);
  if (group === undefined) throw notFoundError();
  return group;
}

async function findGroup(
  { groups }: Dependencies,
  { product, groupId }: GroupRequest,
  { partnerId, signal }: PartnerCall,
): Promise<StoredGroup | undefined> {
  const id = parseUuid(groupId);
  const group = id === undefined ? undefined : await groups.findGroup({ partnerId, id }, signal);
  return group?.product === product ? group : undefined;
}

/** Groups as their partner sees them. */
async function describeGroups(
  { groups, catalogue }: Dependencies,
  storedGroups: readonly StoredGroup[],
  { partnerId, signal }: PartnerCall,
) {
  const ids = storedGroups.map(({ id }) => id);
  const counts = await groups.countPeople(partnerId, ids, signal);
  const descriptions = [];
  // In sequence: a call uses one connection.
  for (const group of storedGroups) {
    const state = group.closedAt === null ? "open" : "closed";
    const { version: assessmentVersion, form } = await catalogue.getById(group.assessmentId);
    const people = counts.get(group.id) ?? { size: 0, started: 0, completed: 0 };
    descriptions.push({ ...group, ...people, groupId: group.id, state, assessmentVersion, form });
  }
  return descriptions;
}

/** SHA-256 of the request. The parent is the same however its id is written. */
export function hashGroupRequest({ product, label, closesAt, parentId, form }: CreateGroupRequest): Uint8Array {
  return hashRequest({
    product,
    label,
    closesAt: closesAt && timestampMs(closesAt),
    parentId: parentId?.toLowerCase(),
    form: toAssessmentForm(form),
  });
}

function findLabelViolations(label: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["label"], code, detail }];
  if (label.trim() === "") return violation("too_short", "A label has at least one character that is no blank.");
  if (!/\p{Cc}/u.test(label)) return [];
  return violation("invalid_characters", "A label has no control characters.");
}
