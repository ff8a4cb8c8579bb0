// The request bodies of code samples.

/** JSON bodies, by operation; without one an operation has no body. `$NAME` is a variable of the environment. */
export const sampleBodies: Readonly<Record<string, unknown>> = {
  createSession: { subject: { externalId: "user-42" } },
  recordAnswers: { answers: [{ questionId: 1001, response: { type: "likert", value: 5 } }] },
  completeSession: { answers: [{ questionId: 1002, response: { type: "likert", value: 3 } }] },
  createGroup: { label: "Team North, autumn" },
  createReportLink: { expiresInSeconds: 86_400 },
  setIntention: { step: "Call one person just to hear how they are", lookAgainOn: "2027-01-07" },
  createWebhookEndpoint: { url: "$RECEIVER_URL", types: ["session.completed", "session.scored"] },
  updateWebhookEndpoint: { description: "Results for the app" },
  rotateWebhookSecret: { overlapSeconds: 3600 },
  redeliverEvents: { eventIds: ["$EVENT_ID"] },
  replayEvents: {},
  autofillSession: { persona: "archetype-7" },
  setTestClock: { now: "2036-01-01T00:00:00Z" },
};

/** Form bodies, likewise. */
export const sampleForms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: {
    grant_type: "client_credentials",
    client_id: "$PAS_CLIENT_ID",
    client_secret: "$PAS_CLIENT_SECRET",
  },
  revokeToken: { token: "$TOKEN", client_id: "$PAS_CLIENT_ID", client_secret: "$PAS_CLIENT_SECRET" },
};
