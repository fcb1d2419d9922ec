import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateWebhookClientConfig } from "../../apimachinery/validation/webhook-client-config.ts";
import { isDns1035Label } from "../../lib/formats/names.ts";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, texts } from "../../lib/json/read.ts";

const path = "spec.conversion";
const reviewVersions = ["v1", "v1beta1"];

/**
 * Validates the conversion: the strategy, and whether its webhook can be called
 * (validateCustomResourceConversion).
 */
export function validateConversion(conversion: JsonObject): StatusCause[] {
  const { strategy, webhook } = conversion;
  if (strategy === "None") return isJsonObject(webhook) ? validateUnused(webhook) : [];
  if (strategy !== "Webhook") return [notSupported(`${path}.strategy`, strategy, ["None", "Webhook"])];
  const { clientConfig } = object(webhook);
  const config = `${path}.webhookClientConfig`;
  return [
    ...(isJsonObject(clientConfig)
      ? validateWebhookClientConfig(withNamesSwapped(clientConfig), config)
      : [required(config, "required when strategy is set to Webhook")]),
    ...validateReviewVersions(texts(object(webhook).conversionReviewVersions)),
  ];
}

function validateUnused(webhook: JsonObject): StatusCause[] {
  const detail = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook.clientConfig === undefined ? [] : [forbidden(`${path}.webhookClientConfig`, detail)]),
    ...(texts(webhook.conversionReviewVersions).length === 0
      ? []
      : [forbidden(`${path}.conversionReviewVersions`, detail)]),
  ];
}

/**
 * Returns the configuration with namespace and name swapped. A real server confuses them: its error about a
 * missing name is about the namespace.
 */
function withNamesSwapped(clientConfig: JsonObject): JsonObject {
  const { service } = clientConfig;
  if (!isJsonObject(service)) return clientConfig;
  return { ...clientConfig, service: { ...service, name: service.namespace, namespace: service.name } };
}

function validateReviewVersions(versions: readonly string[]): StatusCause[] {
  const field = `${path}.conversionReviewVersions`;
  if (versions.length === 0) return [required(field)];
  const causes = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index)
      return [invalid(`${field}[${index}]`, version, "duplicate version")];
    return isDns1035Label(version).map((error) => invalid(`${field}[${index}]`, version, error));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return causes;
  return [...causes, invalid(field, versions, `must include at least one of ${reviewVersions.join(", ")}`)];
}
