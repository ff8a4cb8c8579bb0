// The routes of groups.
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  CreateGroupRequestSchema,
  GetGroupNumbersResponseSchema,
  GroupSchema,
  ListGroupsResponseSchema,
} from "../../gen/assessment/v1/group_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { groupRequestViolations, maxGroupPageSize } from "../../kernel/requests/group-request.ts";
import { basePath } from "../../transport/http/base-path.ts";
import { BodyReader } from "../shared/body.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { idempotencyKeyOf } from "../shared/idempotency-key.ts";
import { groupOf, productOf } from "../shared/path-params.ts";
import { integerOf, textOf } from "../shared/query.ts";
import { addRoute, outsideBody } from "../shared/route.ts";
import { groupOperations as operations } from "./group-operations.ts";

const createBody = new BodyReader(CreateGroupRequestSchema);

const groupJson = toJson(GroupSchema);
const groupsJson = toJson(ListGroupsResponseSchema);
const numbersJson = toJson(GetGroupNumbersResponseSchema);

/** Adds the routes of groups. */
export function addGroupRoutes(
  app: FastifyInstance,
  { client, publicUrl }: { readonly client: CoreClient; readonly publicUrl: () => string },
): void {
  const { budget } = client;

  addRoute(app, operations.createGroup, async (request, reply) => {
    const { group, replayed } = await client.call(operations.createGroup.rpc, request, reply, async (limits) => {
      const product = productOf(request);
      const body = await createBody.read(request, limits, budget);
      const idempotencyKey = idempotencyKeyOf(request);
      // Whatever the message would lose or change on its way to a core elsewhere is refused here.
      const violations = groupRequestViolations({ label: body.label ?? "", idempotencyKey });
      if (violations.length > 0) throw invalidRequest(violations);
      return { ...body, product, idempotencyKey };
    });
    const made = present(group);
    reply.code(201).header("location", `${basePath(publicUrl())}/v1/${productOf(request)}/groups/${made.groupId}`);
    if (replayed) reply.header("idempotent-replayed", "true");
    return groupJson(made);
  });

  addRoute(
    app,
    operations.listGroups,
    async (request, reply) => {
      const read = () => ({
        product: productOf(request),
        pageSize: integerOf(request, "limit", 1, maxGroupPageSize) ?? 0,
        after: textOf(request, "after") ?? "",
      });
      const page = await client.call(operations.listGroups.rpc, request, reply, read);
      return groupsJson(page);
    },
    outsideBody,
  );

  addRoute(app, operations.getGroup, async (request, reply) => {
    const { group } = await client.call(operations.getGroup.rpc, request, reply, () => addressOf(request));
    return groupJson(present(group));
  });

  addRoute(app, operations.closeGroup, async (request, reply) => {
    const { group } = await client.call(operations.closeGroup.rpc, request, reply, () => addressOf(request));
    return groupJson(present(group));
  });

  addRoute(app, operations.getGroupNumbers, async (request, reply) => {
    return numbersJson(await client.call(operations.getGroupNumbers.rpc, request, reply, () => addressOf(request)));
  });
}

function addressOf(request: FastifyRequest) {
  return { product: productOf(request), ...groupOf(request) };
}
