import {
  ApiStatusError,
  badRequest,
  forbidden,
  internalError,
  type Status,
} from "../../../apimachinery/errors.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import { meetsConditions } from "../policies/match-conditions.ts";
import { activationOf } from "../policies/variables.ts";
import type { Webhook } from "./configurations.ts";
import { WebhookCallError, WebhookTargetError } from "./errors.ts";
import {
  createReview,
  InvalidReviewError,
  type Match,
  type ReviewedObjects,
  type ReviewResponse,
  readReview,
  reviewVersion,
} from "./review.ts";

/** A webhook call failed for a reason other than a refusal, so failurePolicy decides. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";

  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${why}`);
  }
}

/**
 * Calls one webhook. The client receives its warnings.
 * @returns the response that allows the request
 * @throws ApiStatusError when the webhook refuses, WebhookFailure when the call fails
 */
export async function callWebhook(
  webhook: Webhook,
  match: Match,
  attributes: AdmissionAttributes,
  objects: ReviewedObjects,
  context: AdmissionContext,
  mutating: boolean,
): Promise<ReviewResponse> {
  const { name, sideEffects } = webhook;
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const version = reviewVersion(webhook.reviewVersions);
  if (version === undefined) {
    throw new WebhookFailure(
      name,
      "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)",
    );
  }
  const uid = context.uuid();
  const response = await ask();
  for (const warning of response.warnings) attributes.request.warn(warning);
  if (!response.allowed) throw refusal(name, response.result);
  return response;

  async function ask(): Promise<ReviewResponse> {
    try {
      const answer = await context.webhooks.post({
        target: webhook.target,
        body: createReview(uid, version as string, attributes, match, objects),
        timeoutSeconds: webhook.timeoutSeconds,
        signal: attributes.request.signal,
        userAgent: "kube-apiserver-admission",
      });
      return readReview(answer, uid, version as string, mutating);
    } catch (error) {
      if (error instanceof WebhookCallError) {
        throw new WebhookFailure(name, `failed to call webhook: ${error.message}`);
      }
      if (error instanceof WebhookTargetError) throw new WebhookFailure(name, error.message);
      if (error instanceof InvalidReviewError) {
        throw new WebhookFailure(name, `received invalid webhook response: ${error.message}`);
      }
      throw error;
    }
  }
}

/**
 * Applies failurePolicy to a failed call: Fail rejects the request, Ignore continues. @throws ApiStatusError
 */
export function failOrIgnore(error: unknown, webhook: Webhook): void {
  if (!(error instanceof WebhookFailure)) throw error;
  if (webhook.failurePolicy !== "Ignore") throw internalError(error.message);
}

/** Returns the complete Status of a refusal (ToStatusErr of k8s.io/apiserver). */
function refusal(webhook: string, result: Partial<Status> = {}): ApiStatusError {
  const head = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const { message = "", reason = "", details, code = 0 } = result;
  const why = message || reason;
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: why === "" ? `${head} without explanation` : `${head}: ${why}`,
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: typeof code === "number" && code >= 400 ? code : 400,
  });
}

/**
 * Returns whether all matchConditions of a webhook hold.
 * @throws ApiStatusError 403 when the result is unknown and failurePolicy is Fail
 */
export function matchesConditions(
  { matchConditions, failurePolicy }: Webhook,
  match: Match,
  attributes: AdmissionAttributes,
  objects: ReviewedObjects,
  context: AdmissionContext,
): boolean {
  if (matchConditions.length === 0) return true;
  const met = meetsConditions(
    matchConditions,
    activationOf(attributes, match, objects, context),
    failurePolicy,
  );
  if (typeof met === "boolean") return met;
  const { type, name } = attributes;
  throw forbidden(type.group, type.plural, name, met.error);
}
