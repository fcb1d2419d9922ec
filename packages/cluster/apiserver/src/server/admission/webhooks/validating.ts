import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "../admission.ts";
import { callWebhook, failOrIgnore, matchesConditions } from "./call.ts";
import { createWebhookReader, type Webhook } from "./configurations.ts";
import { reviewedObjects } from "./convert.ts";
import { isExempt, match } from "./matching.ts";
import type { Match } from "./review.ts";

/**
 * Returns the plugin that calls the webhooks of ValidatingWebhookConfigurations in parallel. The first
 * refusal to arrive is the response.
 */
export function validatingWebhooks(): AdmissionPlugin {
  const read = createWebhookReader("validatingwebhookconfigurations.admissionregistration.k8s.io");
  return {
    name: "ValidatingAdmissionWebhook",
    validate(attributes, context) {
      const webhooks = read(context.store);
      if (webhooks.length === 0 || isExempt(attributes)) return;
      const relevant = webhooks.flatMap((webhook) => {
        const found = match(webhook.resources, attributes, context);
        return found === undefined ? [] : [{ webhook, found }];
      });
      if (relevant.length === 0) return;
      return askAll(relevant, attributes, context);
    },
  };
}

async function askAll(
  relevant: readonly { webhook: Webhook; found: Match }[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  // No webhook is called before all of them have been matched.
  const calls: (() => Promise<void>)[] = [];
  for (const { webhook, found } of relevant) {
    const objects = await reviewedObjects(attributes, found, context);
    if (!matchesConditions(webhook, found, attributes, objects, context)) continue;
    calls.push(async () => {
      try {
        await callWebhook(webhook, found, attributes, objects, context, false);
      } catch (error) {
        failOrIgnore(error, webhook);
      }
    });
  }
  await Promise.all(calls.map((call) => call()));
}
