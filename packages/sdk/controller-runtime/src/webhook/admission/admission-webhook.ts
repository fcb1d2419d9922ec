import type { MetricsProvider } from "@operator-path/informers";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { jsonAnswer, type WebhookHandler } from "../server/handler.ts";
import { noMetrics } from "../server/no-metrics.ts";
import { webhookMetrics } from "../server/webhook-metrics.ts";
import type { AdmissionHandler } from "./handler.ts";
import type { AdmissionRequest } from "./request.ts";
import { type AdmissionResponse, errored, withWarnings } from "./response.ts";
import { readReview, writeReview } from "./review.ts";

/** Configures `admissionWebhook`. */
export interface AdmissionWebhookOptions {
  log?: Logger | undefined;
  /** Default: no metrics. */
  metrics?: MetricsProvider | undefined;
}

/**
 * Creates a handler for AdmissionReviews v1 and v1beta1. Whatever the inner handler does, the API server
 * receives an answer that states the problem. Only for an oversized body or an unknown path does the server
 * answer itself. Go: admission.Webhook.
 */
export function admissionWebhook(
  handler: AdmissionHandler,
  options: AdmissionWebhookOptions = {},
): WebhookHandler {
  const log = (options.log ?? createLogger()).child({ logger: "admission" });
  const panics = (options.metrics ?? noMetrics).counter(webhookMetrics.panics, {});

  async function decide(
    request: AdmissionRequest,
    { headers, signal }: Parameters<WebhookHandler>[0],
  ): Promise<AdmissionResponse> {
    const own = log.child(fieldsOf(request));
    const warnings: string[] = [];
    try {
      const context = { log: own, signal, headers, warn: (text: string) => void warnings.push(text) };
      const response: AdmissionResponse | undefined = await handler(request, context);
      if (typeof response?.allowed !== "boolean") throw new Error(noResponse);
      return withWarnings(response, ...warnings);
    } catch (error) {
      panics.inc();
      own.error({ error }, "Observed a panic in webhook");
      const why = error instanceof Error ? error.message : String(error);
      return withWarnings(errored(500, `panic: ${why} [recovered]`), ...warnings);
    }
  }

  return async (call) => {
    const bad = (code: number, why: string) => {
      log.error({ path: call.path, error: new Error(why) }, "bad request");
      return jsonAnswer(writeReview("admission.k8s.io/v1", "", errored(code, why)));
    };
    if (call.body.length === 0) return bad(400, "request body is empty");
    const contentType = call.headers["content-type"] ?? "";
    if (!/^application\/json\s*(;|$)/i.test(contentType)) {
      return bad(400, `contentType=${contentType}, expected application/json`);
    }
    let review: ReturnType<typeof readReview>;
    try {
      review = readReview(call.body.toString());
    } catch (error) {
      return bad(400, error instanceof Error ? error.message : String(error));
    }
    const { apiVersion, request, large } = review;
    const response = await decide(request, call);
    try {
      return jsonAnswer(writeReview(apiVersion, request.uid, response, large));
    } catch (error) {
      log.error({ path: call.path, requestID: request.uid, error }, "unable to encode response");
      return jsonAnswer(writeReview(apiVersion, request.uid, errored(500, error)));
    }
  };
}

const noResponse =
  "the admission handler did not decide on the request: return allowed(), denied(…) or errored(…)";

/** Go: admission.DefaultLogConstructor. */
function fieldsOf({ uid, name = "", namespace = "", resource, userInfo }: AdmissionRequest) {
  return {
    object: { name, namespace },
    ...{ namespace, name, resource, user: userInfo?.username, requestID: uid },
  };
}
