// Cases of long sessions that continue short ones: the ratings are taken over, and the other statements are asked.
import { expect } from "vitest";
import { addTwinCaller } from "../../../support/app.ts";
import { memberAnswers } from "../../../support/groups/members.ts";
import {
  answer,
  bodyOf,
  type Cases,
  completedSession,
  expectRefused,
  fullAnswers,
  newPartner,
  newSession,
  uniqueId,
  type World,
} from "../case.ts";

/** A person who has completed a short session. */
async function shortSession(world: World, externalId = uniqueId("person")) {
  return { externalId, ...(await completedSession(world, { form: "short", subject: { externalId } })) };
}

const whereRefused = (pointer: string, code: string) => [{ pointer, code }];

export const continuationCases: Cases = {
  "a short session is continued: the new one asks the other statements, and is scored as if it had asked all": async (
    world,
  ) => {
    const { transport, alice } = world;
    const short = await shortSession(world);
    const long = await newSession(world, { continues: short.sessionId });
    expect([long.form, long.subject]).toEqual(["long", short.subject]);
    const prompts = short.assessment.questions.map(({ prompt }) => prompt);
    const rest = long.assessment.questions;
    expect(rest.map(({ prompt }) => prompt).filter((prompt) => prompts.includes(prompt))).toEqual([]);
    expect([prompts.length, rest.length]).toEqual([76, 76]);
    const begun = bodyOf(await transport.getSession(alice, long.sessionId, { includeProgress: true }));
    expect([begun.continues, begun.status]).toEqual([short.sessionId, "in_progress"]);
    expect(begun.progress).toMatchObject({ answered: 76, total: 152 });
    const answers = fullAnswers(long);
    bodyOf(await transport.recordAnswers(alice, long.sessionId, { answers: answers.slice(0, 70) }));
    const completion = await transport.completeSession(alice, long.sessionId, {
      answers: answers.slice(70, 75),
      requireAnswered: true,
    });
    expectRefused(completion, "invalid_request", whereRefused("#/answers", "unanswered"));
    const { results } = bodyOf(await transport.completeSession(alice, long.sessionId, { answers: answers.slice(70) }));

    const whole = await newSession(world);
    expect(whole.assessment.questions).toHaveLength(152);
    const ratings = new Map(
      [...short.answers, ...answers].map(({ questionId, response }) => {
        const question = [...short.assessment.questions, ...rest].find(({ id }) => id === questionId);
        return [question?.prompt, response.value];
      }),
    );
    const sameAnswers = whole.assessment.questions.map(({ id, prompt }) => answer(id, ratings.get(prompt) ?? 0));
    const same = bodyOf(await transport.completeSession(alice, whole.sessionId, { answers: sameAnswers }));
    expect(results).toEqual(same.results);
    expect(bodyOf(await transport.getSessionResults(alice, short.sessionId)).results).toEqual(short.completed.results);
  },
  "lists, exports and everything about the person name the session that was continued, and no other session does":
    async (given) => {
      const { world, transport, alice } = await newPartner(given);
      const { sessionId, externalId } = await shortSession(world);
      await newSession(world, {
        continues: sessionId.toUpperCase(),
        subject: { externalId },
        form: "long",
        locale: "de",
      });
      const continued = [undefined, sessionId];
      const { sessions } = bodyOf(await transport.listSessions(alice, { externalId }));
      expect(sessions.map(({ continues }) => continues ?? undefined).toReversed()).toEqual(continued);
      const ofPerson = bodyOf(await transport.listSubjectSessions(alice, externalId)).sessions;
      expect(ofPerson.map(({ continues }) => continues ?? undefined).toReversed()).toEqual(continued);
      const exported = bodyOf(await transport.exportSessions(alice, {})).sessions;
      expect(exported.map(({ continues }) => continues ?? undefined)).toEqual(continued);
      const held = bodyOf(await transport.exportSubject(alice, externalId)).sessions;
      expect(held.map(({ continues }) => continues ?? undefined)).toEqual(continued);
      expect(held.map(({ answers }) => answers.map(({ value }) => value).toSorted())).toEqual([
        expect.any(Array),
        held[0]?.answers.map(({ value }) => value).toSorted(),
      ]);
      expect(bodyOf(await transport.getSession(alice, sessionId))).not.toHaveProperty("continues");
    },
  "an anonymous person stays the same, and a session is continued as often as the partner likes": async (world) => {
    const short = await completedSession(world, { form: "short" });
    for (let count = 0; count < 2; count += 1) {
      expect((await newSession(world, { continues: short.sessionId })).subject).toEqual(short.subject);
    }
  },
  "what cannot be continued is refused, and nothing is created": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const subject = { externalId: uniqueId("person") };
    const short = await shortSession(world, subject.externalId);
    const { sessionId: open } = await newSession(world, { form: "short", subject });
    const { sessionId: long } = await completedSession(world, { subject });
    const part = await newSession(world, { form: "short", subject });
    bodyOf(await transport.completeSession(alice, part.sessionId, { answers: fullAnswers(part).slice(1) }));
    const { sessionId: erased, externalId } = await shortSession(world);
    bodyOf(await transport.eraseSubject(alice, externalId));
    const { sessionId: foreign } = await shortSession(given);
    const before = bodyOf(await transport.listSessions(alice, {})).sessions.length;
    const expectRefusal = async (input: object, pointer: string, code: string) =>
      expectRefused(await transport.createSession(alice, input), "invalid_request", whereRefused(pointer, code));
    await expectRefusal({ continues: open }, "#/continues", "not_completed");
    await expectRefusal({ continues: long }, "#/continues", "not_short");
    await expectRefusal({ continues: part.sessionId }, "#/continues", "unanswered");
    for (const continues of [erased, foreign, crypto.randomUUID(), "session", ""]) {
      await expectRefusal({ continues }, "#/continues", "unknown_session");
    }
    const { sessionId: continues } = short;
    await expectRefusal({ continues, form: "short" }, "#/form", "unknown_value");
    await expectRefusal({ continues, subject: { externalId: "other" } }, "#/subject/externalId", "other_subject");
    const group = bodyOf(await transport.createGroup(alice, { label: "Short", form: "short" }));
    await expectRefusal({ continues, subject, groupId: group.groupId }, "#/groupId", "not_applicable");
    const anonymous = await completedSession(world, { form: "short" });
    const { groupId } = bodyOf(await transport.createGroup(alice, { label: "Long" }));
    await expectRefusal({ continues: anonymous.sessionId, groupId }, "#/groupId", "not_applicable");
    expect(bodyOf(await transport.listSessions(alice, {})).sessions).toHaveLength(before + 1);
  },
  "test twin and live partner do not continue each other's sessions": async (given) => {
    const { world, transport, partnerId, alice } = await newPartner(given);
    const twin = { ...world, alice: { token: (await addTwinCaller(given.app, partnerId)).token } };
    const [live, test] = [await shortSession(world), await shortSession(twin)];
    for (const [as, continues] of [
      [alice, test.sessionId],
      [twin.alice, live.sessionId],
    ] as const) {
      const outcome = await transport.createSession(as, { continues });
      expectRefused(outcome, "invalid_request", whereRefused("#/continues", "unknown_session"));
    }
    expect((await newSession(twin, { continues: test.sessionId })).form).toBe("long");
  },
  "a repeated request gets the same session and questions, and the key is refused with another request": async (
    world,
  ) => {
    const { transport, alice } = world;
    const { sessionId: continues } = await shortSession(world);
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const first = bodyOf(await transport.createSession(as, { continues }));
    expectRefused(await transport.createSession(as, { form: "long" }), "idempotency_key_reused");
    const again = await transport.createSession(as, { continues });
    expect([again.replayed, bodyOf(again)]).toEqual([true, first]);
    expect(first.assessment?.questions).toHaveLength(76);
  },
  "a session is compared with the earlier one of its form, not with the one whose ratings it took over": async (
    world,
  ) => {
    const { transport, alice } = world;
    const externalId = uniqueId("person");
    const { sessionId: from } = await completedSession(world, { subject: { externalId } });
    const { sessionId: continues } = await shortSession(world, externalId);
    const { sessionId: to, assessment } = await newSession(world, { continues });
    bodyOf(await transport.completeSession(alice, to, { answers: memberAnswers(assessment, 3) }));
    const { change, ...ids } = bodyOf(await transport.getChange(alice, externalId));
    expect(ids).toMatchObject({ from: { sessionId: from }, to: { sessionId: to } });
    expect(change.reason).toBeNull();
  },
  "erasing the person erases both sessions": async (world) => {
    const { transport, alice } = world;
    const { sessionId: continues, externalId } = await shortSession(world);
    const { sessionId } = await newSession(world, { continues });
    bodyOf(await transport.eraseSubject(alice, externalId));
    for (const id of [continues, sessionId]) expectRefused(await transport.getSession(alice, id), "not_found");
  },
  "a session that continues another one has started when it is created": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { sessionId: continues } = await shortSession(world);
    const { sessionId } = await newSession(world, { continues });
    await expect
      .poll(async () => {
        const { events } = bodyOf(await transport.listEvents(alice, {}));
        return events.flatMap(({ type, data }) => (data.sessionId === sessionId ? [type] : []));
      })
      .toEqual(["session.created", "session.started"]);
  },
  "a person's short session and the long one that continues it are one sheet of answers in groups": async (given) => {
    const withheld = async (isContinued: boolean) => {
      const { world, transport, alice } = await newPartner(given);
      const [short, long] = [
        bodyOf(await transport.createGroup(alice, { label: "Short", form: "short" })),
        bodyOf(await transport.createGroup(alice, { label: "Long" })),
      ];
      for (let seed = 1; seed <= 6; seed += 1) {
        const subject = { externalId: `member-${seed}` };
        const first = await newSession(world, { subject, groupId: short.groupId });
        bodyOf(
          await transport.completeSession(alice, first.sessionId, { answers: memberAnswers(first.assessment, seed) }),
        );
        // Whoever reads both groups could subtract the sixth person from the other five.
        if (seed === 6) continue;
        const input = isContinued ? { continues: first.sessionId } : { subject };
        const second = await newSession(world, { ...input, groupId: long.groupId });
        const answers = memberAnswers(second.assessment, seed + (isContinued ? 0 : 20));
        bodyOf(await transport.completeSession(alice, second.sessionId, { answers }));
      }
      const reasons = [];
      for (const { groupId } of [short, long]) {
        bodyOf(await transport.closeGroup(alice, groupId));
        reasons.push(bodyOf(await transport.getGroupNumbers(alice, groupId)).reason);
      }
      return reasons;
    };
    expect([await withheld(false), await withheld(true)]).toEqual([
      [null, null],
      [null, "disclosive"],
    ]);
  },
};
