// Calls of groups for the transports: one list of where they are over REST, and how their messages read.
import type { DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type GetGroupNumbersResponse,
  GetGroupNumbersResponseSchema,
  type Group,
  GroupSchema,
  type GroupService,
  type ListGroupsResponse,
  ListGroupsResponseSchema,
} from "../../../src/gen/assessment/v1/group_service_pb.ts";
import { toJson } from "../../../src/kernel/json/message-json.ts";

export type GroupCall = Exclude<keyof typeof GroupService.method, "getTeamReport" | "renderTeamReport">;

/** What a call is given: the members of the REST body or query, and `groupId`. */
export interface GroupInput {
  readonly groupId?: string;
  readonly label?: string;
  readonly closesAt?: string;
  readonly limit?: number;
  readonly after?: string;
}

export interface GroupBody {
  readonly groupId: string;
  readonly product: string;
  readonly label: string;
  readonly state: string;
  readonly assessmentVersion: number;
  readonly createdAt: string;
  readonly closesAt: string | null;
  readonly closedAt: string | null;
  readonly size: number;
  readonly started: number;
  readonly completed: number;
}

export interface GroupPageBody {
  readonly groups: readonly GroupBody[];
  readonly next: string | null;
}

interface MeasureBody {
  readonly mean: number;
  readonly sd: number;
  readonly interval: readonly number[];
  readonly rwg: number;
  readonly icc1: number | null;
}

export interface GroupNumbersBody {
  readonly groupId: string;
  readonly closedAt: string | null;
  readonly numbers: {
    readonly members: number;
    readonly values: readonly {
      readonly valueId: number;
      readonly ideal: MeasureBody | null;
      readonly current: MeasureBody | null;
      readonly gap: MeasureBody | null;
      readonly uniform: boolean;
    }[];
  } | null;
  readonly reason: string | null;
}

const routes: Readonly<Record<GroupCall, readonly [method: string, path: string]>> = {
  createGroup: ["POST", "/groups"],
  listGroups: ["GET", "/groups"],
  getGroup: ["GET", "/groups/:id"],
  closeGroup: ["POST", "/groups/:id/close"],
  getGroupNumbers: ["GET", "/groups/:id/numbers"],
};

/** The REST request of a call, its path behind that of the product. */
export function groupRequest(call: GroupCall, { groupId = "", limit, after, ...body }: GroupInput) {
  const [method, path] = routes[call];
  const query = new URLSearchParams();
  if (limit !== undefined) query.set("limit", String(limit));
  if (after !== undefined) query.set("after", after);
  const at = path.replace(":id", encodeURIComponent(groupId)) + (query.size === 0 ? "" : `?${query}`);
  return { method, path: at, body: call === "createGroup" ? body : undefined };
}

/** The message of a call. */
export function groupMessage(
  call: GroupCall,
  product: string,
  { closesAt, limit, ...input }: GroupInput,
  idempotencyKey: string | undefined,
): MessageInitShape<DescMethodUnary["input"]> {
  const message = {
    product,
    ...input,
    ...(closesAt === undefined ? {} : { closesAt: timestampFromDate(new Date(closesAt)) }),
    ...(limit === undefined ? {} : { pageSize: limit }),
    ...(call !== "createGroup" || idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  return message as MessageInitShape<DescMethodUnary["input"]>;
}

/** What a call answered, in the words of REST. */
export function groupBody(call: GroupCall, message: Message): unknown {
  if (call === "listGroups") return toJson(ListGroupsResponseSchema)(message as ListGroupsResponse);
  if (call === "getGroupNumbers") return toJson(GetGroupNumbersResponseSchema)(message as GetGroupNumbersResponse);
  const { group } = message as Message & { readonly group?: Group };
  if (group === undefined) throw new Error("no group");
  return toJson(GroupSchema)(group);
}
