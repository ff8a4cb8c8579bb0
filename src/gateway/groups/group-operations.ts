// The operations of groups.

import {
  CreateGroupRequestSchema,
  GetGroupNumbersResponseSchema,
  GroupSchema,
  GroupService,
  ListGroupsResponseSchema,
} from "../../gen/assessment/v1/group_service_pb.ts";
import { integer, optional, string } from "../../kernel/json/json-schema.ts";
import { defaultGroupPageSize, maxGroupPageSize } from "../../kernel/requests/group-request.ts";
import { operation } from "../openapi/operation.ts";

const { method } = GroupService;
const groups = "/v1/:product/groups";
const group = `${groups}/:groupId`;
const tag = "Groups";

export const groupOperations = {
  createGroup: operation("POST", groups, method.createGroup, {
    tag,
    summary: "Make a group",
    description: "Sessions join it with `groupId` when they are created. Its version is the one published now.",
    body: CreateGroupRequestSchema,
    headers: {
      "idempotency-key": optional(
        string({
          description:
            "1 to 255 visible ASCII characters. The same key with the same request makes one group. It is kept with the group.",
          examples: ["team-north-autumn"],
        }),
      ),
    },
    success: {
      status: 201,
      description: "The group, new or of the same idempotency key.",
      schema: GroupSchema,
      headers: {
        Location: "Path of the group.",
        "Idempotent-Replayed": "`true` if an earlier request with the key made the group.",
      },
    },
    reasons: ["idempotency_key_reused", "limit_reached"],
  }),
  listGroups: operation("GET", groups, method.listGroups, {
    tag,
    summary: "List groups",
    description: "Newest first. Ask for the next page with `after`, until `next` is null.",
    query: {
      limit: optional(
        integer({
          minimum: 1,
          maximum: maxGroupPageSize,
          default: defaultGroupPageSize,
          description: "Most groups in the response.",
        }),
      ),
      after: optional(string({ description: "The `next` of the page before. Without it: the newest." })),
    },
    success: { status: 200, description: "A page of groups.", schema: ListGroupsResponseSchema },
  }),
  getGroup: operation("GET", group, method.getGroup, {
    tag,
    summary: "Get a group",
    success: { status: 200, description: "The group.", schema: GroupSchema },
  }),
  closeGroup: operation("POST", `${group}/close`, method.closeGroup, {
    tag,
    summary: "Close a group",
    description: "For good: its numbers are computed now, and never again. Repeating the request is safe.",
    success: { status: 200, description: "The closed group.", schema: GroupSchema },
    reasons: ["conflict"],
  }),
  getGroupNumbers: operation("GET", `${group}/numbers`, method.getGroupNumbers, {
    tag,
    summary: "Get the numbers of a group",
    description:
      "Of a closed group with 5 members or more who count. What is withheld is null, with its reason. They never change.",
    success: { status: 200, description: "The numbers, or why there are none.", schema: GetGroupNumbersResponseSchema },
  }),
} as const;
