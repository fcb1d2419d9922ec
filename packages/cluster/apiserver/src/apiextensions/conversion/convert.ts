import { unknownError } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { WebhookClient } from "../../server/admission/webhooks/client.ts";
import { webhookTarget } from "../../server/admission/webhooks/target.ts";
import type { CustomVersion } from "../custom-resource-definition.ts";
import { restoreMetadata } from "./metadata.ts";
import { type ConversionReview, createConversionReview, readConversionReview } from "./review.ts";

/** The parts of the server that conversions use. */
export interface ConversionContext {
  readonly webhooks: WebhookClient;
  readonly uuid: () => string;
}

/** The timeout that a real server has for conversion webhooks, and for all its other requests. */
const timeoutSeconds = 30;

/**
 * Converts custom resources to another version of their definition (apiextensions-apiserver,
 * pkg/apiserver/conversion). The strategy None changes only apiVersion. The strategy Webhook calls the
 * definition's webhook, once for all objects that are not in that version.
 *
 * @returns as many objects, in the same order
 * @throws ApiStatusError 500, with a real server's message, when the call fails or the response is invalid
 */
export async function convertObjects(
  context: ConversionContext,
  custom: CustomVersion,
  objects: readonly ApiObject[],
  apiVersion: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<ApiObject[]> {
  const foreign = objects.filter((object) => object.apiVersion !== apiVersion);
  if (foreign.length === 0) return [...objects];
  const { conversion } = custom;
  if (conversion.strategy !== "Webhook") return objects.map((object) => ({ ...object, apiVersion }));
  const converted = await askWebhook(context, conversion.webhook, foreign, apiVersion, signal);
  let next = 0;
  return objects.map((object) =>
    object.apiVersion === apiVersion ? object : (converted[next++] as ApiObject),
  );
}

/** apiextensions/v1 WebhookConversion. */
type Webhook = Extract<CustomVersion["conversion"], { strategy: "Webhook" }>["webhook"];

async function askWebhook(
  context: ConversionContext,
  { clientConfig, conversionReviewVersions }: Webhook,
  objects: readonly ApiObject[],
  apiVersion: string,
  signal: AbortSignal,
): Promise<ApiObject[]> {
  const [first] = objects;
  const kind = `${first?.apiVersion}, Kind=${first?.kind}`;
  const fail = (why: string) => unknownError(`conversion webhook for ${kind} ${why}`);
  const version = conversionReviewVersions.find((name) => name === "v1" || name === "v1beta1");
  if (version === undefined) throw unknownError("no supported conversion review versions");
  const review = createConversionReview(version, context.uuid(), objects, apiVersion);
  const converted = await call(context, clientConfig, review, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw fail(`failed: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (converted.length !== objects.length) {
    throw fail(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((object, index) => {
    const result = restoreMetadata(object, converted[index], apiVersion);
    if (typeof result === "object") return result;
    throw result.startsWith("Object ") ? unknownError(result) : fail(result);
  });
}

async function call(
  { webhooks }: ConversionContext,
  clientConfig: Webhook["clientConfig"],
  review: ConversionReview,
  signal: AbortSignal,
): Promise<unknown[]> {
  const answer = await webhooks.post({
    target: webhookTarget(clientConfig),
    body: review,
    timeoutSeconds,
    signal,
    userAgent: "kube-apiserver-admission",
  });
  return readConversionReview(answer, review);
}
