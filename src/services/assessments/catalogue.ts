// Published assessments: looking them up, also as messages.
import { create } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import {
  type AssessmentForm,
  chooseWording,
  openForm,
  type PublishedAssessment,
  toFormId,
  toVersionId,
} from "../../domain/assessments/published-assessment.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
} from "../../gen/assessment/v1/assessment_pb.ts";
import { type HeadlessSession, HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { fromModel } from "../../json/messages.ts";
import type { Deadline, MonotonicClock } from "../../kernel/environment.ts";
import { invalidFieldError, notFoundError } from "../../kernel/errors/refusal.ts";
import type { Product, Wording } from "../../products/product.ts";
import type { AssessmentStore } from "../../store/assessments/assessment-store.ts";

/** A newly published version is used by every process within 5 seconds. */
const latestMaxAgeMs = 4_000;
const loadTimeoutMs = 5_000;
const maxCachedVersions = 64;
const maxCachedProducts = 256;

const toAssessment = fromModel(AssessmentSchemaSchema);

/** The questions of a session, as a message. */
type QuestionsMessage = HeadlessSession & { readonly assessment: AssessmentMessage };

/** Finds versions. What never changes is cached; failures and absent versions are not. */
export class AssessmentCatalogue {
  readonly #store: AssessmentStore;
  readonly #versions: LRUCache<number, PublishedAssessment>;
  readonly #latest: LRUCache<string, number>;
  readonly #messages = new WeakMap<Wording, QuestionsMessage>();
  /** The product of all versions. */
  readonly product: Product;

  constructor(store: AssessmentStore, product: Product, monotonic: MonotonicClock) {
    this.#store = store;
    this.product = product;
    this.#versions = new LRUCache({
      max: maxCachedVersions,
      ignoreFetchAbort: true,
      fetchMethod: async (id) => {
        const storedAssessment = await store.findAssessment(toVersionId(id), AbortSignal.timeout(loadTimeoutMs));
        return storedAssessment && openForm(product, storedAssessment, id);
      },
    });
    this.#latest = new LRUCache({
      max: maxCachedProducts,
      ttl: latestMaxAgeMs,
      perf: { now: monotonic },
      ttlResolution: 0,
      ignoreFetchAbort: true,
      fetchMethod: (name) => store.findLatestAssessmentId(name, AbortSignal.timeout(loadTimeoutMs)),
    });
  }

  /** The form of a version with that id; throws `not_found` if there is none. */
  async getById(id: number): Promise<PublishedAssessment> {
    const assessment = await this.#versions.fetch(id);
    if (assessment === undefined) throw notFoundError();
    return assessment;
  }

  /** The published version of a product; throws `not_found` if there is none. */
  async getPublished(product: string): Promise<PublishedAssessment> {
    const id = await this.#latest.fetch(product);
    if (id === undefined) throw notFoundError();
    return this.getById(id);
  }

  /** The id of a version of a product; undefined if the product does not have it. */
  findAssessmentId(product: string, version: number, signal: AbortSignal): Promise<number | undefined> {
    return this.#store.findAssessmentId(product, version, signal);
  }

  /** A version in a form. Throws `not_found` and `invalid_request`. @param version the published one if undefined */
  async getVersion(product: string, version: number | undefined, form: AssessmentForm, { signal }: Deadline) {
    if (version === undefined) return this.getForm(await this.getPublished(product), form);
    const id = await this.findAssessmentId(product, version, signal);
    if (id === undefined) throw notFoundError();
    return this.getForm(await this.getById(id), form);
  }

  /** The same version in a form. Throws `invalid_request` if it does not have that form. */
  async getForm(assessment: PublishedAssessment, form: AssessmentForm): Promise<PublishedAssessment> {
    const id = toFormId(assessment.id, form);
    const version = id === assessment.id ? assessment : await this.#versions.fetch(id);
    if (version !== undefined) return version;
    const detail = "This version has no short form: leave the form out, or publish a version with one.";
    throw invalidFieldError(["form"], "unknown_value", detail);
  }

  /**
   * A version as the questions of a session. The message is built once, so that a transport can cache its bytes.
   * @param preferred BCP 47 tags of languages, the preferred one first
   */
  toMessage(assessment: PublishedAssessment, preferred: readonly (string | null | undefined)[]): QuestionsMessage {
    const wording = chooseWording(assessment, preferred);
    const cachedMessage = this.#messages.get(wording);
    if (cachedMessage !== undefined) return cachedMessage;
    const { id: assessmentId, version, form, product } = assessment;
    const values = this.product.messages.toNamedValues(wording);
    const message = toAssessment({ ...wording, product, assessmentId, version, form, values });
    const questions = Object.assign(create(HeadlessSessionSchema, { assessment: message }), { assessment: message });
    this.#messages.set(wording, questions);
    return questions;
  }

  /** Forgets which version is published, after a publication by this process. */
  forgetLatest(product: string): void {
    this.#latest.delete(product);
  }
}
