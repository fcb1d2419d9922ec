import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateWebhookClientConfig } from "../../apimachinery/validation/webhook-client-config.ts";
import { isDns1035Label, isDns1123Subdomain } from "../../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { validateMatchConditions } from "./expressions.ts";
import { defaultRules, supported, validateRule, validateSelector } from "./match-rules.ts";

/** Validates an admissionregistration/v1 MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
function validateWebhookConfiguration(configuration: ApiObject, old?: ApiObject): StatusCause[] {
  const webhooks = objects(configuration.webhooks);
  const names = webhooks.map(({ name }) => text(name));
  const conditions = (source: ApiObject | undefined) =>
    objects(source?.webhooks).map(({ matchConditions }) => matchConditions);
  // Match conditions that are already stored may stay, even if a new object could not have them.
  const newConditions = old === undefined || !isDeepStrictEqual(conditions(configuration), conditions(old));
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] as string;
    return [
      ...validateWebhook(webhook, path),
      ...(newConditions
        ? validateMatchConditions(webhook.matchConditions, `${path}.matchConditions`, {
            params: false,
            authorizer: true,
          })
        : []),
      ...validateReviewVersions(texts(webhook.admissionReviewVersions), `${path}.admissionReviewVersions`),
      ...(name !== "" && names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}

function validateWebhook(webhook: JsonObject, path: string): StatusCause[] {
  const { sideEffects, timeoutSeconds } = webhook;
  const classes = ["None", "NoneOnDryRun"];
  const causes = [
    ...validateWebhookName(text(webhook.name), `${path}.name`),
    ...objects(webhook.rules).flatMap((rule, index) => validateRule(rule, `${path}.rules[${index}]`)),
    ...supported(webhook.failurePolicy, `${path}.failurePolicy`, ["Fail", "Ignore"]),
    ...supported(webhook.matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
  ];
  if (sideEffects === undefined) {
    causes.push(required(`${path}.sideEffects`, `must specify one of ${classes.join(", ")}`));
  } else if (!classes.includes(text(sideEffects))) {
    causes.push(notSupported(`${path}.sideEffects`, sideEffects, classes));
  }
  if (typeof timeoutSeconds === "number" && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    causes.push(invalid(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  return [
    ...causes,
    ...validateSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...supported(webhook.reinvocationPolicy, `${path}.reinvocationPolicy`, ["IfNeeded", "Never"]),
    ...validateWebhookClientConfig(object(webhook.clientConfig), `${path}.clientConfig`),
  ];
}

/** Validates the name of a webhook. Names are domains, so that they are unique. */
function validateWebhookName(name: string, path: string): StatusCause[] {
  if (name === "") return [required(path)];
  const errors = isDns1123Subdomain(name);
  if (errors.length > 0) return [invalid(path, name, errors.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
}

function validateReviewVersions(versions: string[], path: string): StatusCause[] {
  if (versions.length === 0) return [required(path, "must specify one of v1, v1beta1")];
  const causes = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalid(`${path}[${index}]`, version, "duplicate version")]
      : isDns1035Label(version).map((error) => invalid(`${path}[${index}]`, version, error)),
  );
  if (!versions.some((version) => version === "v1" || version === "v1beta1")) {
    causes.push(invalid(path, versions, "must include at least one of v1, v1beta1"));
  }
  return causes;
}

/** Sets the defaults of an admissionregistration/v1 ValidatingWebhookConfiguration. */
function defaultValidatingWebhooks(configuration: JsonObject): void {
  for (const webhook of objectsOf(configuration.webhooks)) defaultWebhook(webhook);
}

/** Sets the defaults of an admissionregistration/v1 MutatingWebhookConfiguration. */
function defaultMutatingWebhooks(configuration: JsonObject): void {
  for (const webhook of objectsOf(configuration.webhooks)) {
    defaultWebhook(webhook);
    setDefault(webhook, "reinvocationPolicy", "Never");
  }
}

function defaultWebhook(webhook: JsonObject): void {
  setDefault(webhook, "failurePolicy", "Fail");
  setDefault(webhook, "matchPolicy", "Equivalent");
  ensureObject(webhook, "namespaceSelector");
  ensureObject(webhook, "objectSelector");
  setDefault(webhook, "timeoutSeconds", 10);
  const { service } = ensureObject(webhook, "clientConfig");
  for (const reference of objectsOf([service ?? null])) setDefault(reference, "port", 443);
  defaultRules(webhook.rules);
}

const webhookConfigurationPrinter = definePrinter<Named & { webhooks?: object[] }>((object, context) => [
  nameOf(object),
  object.webhooks?.length ?? 0,
  ageOf(object, context),
]);

const configurationStrategy: Strategy = {
  generation: true,
  // A webhook configuration has no spec.
  generationChanged: (draft, old) => !isDeepStrictEqual(draft.webhooks, old.webhooks),
};

/** admissionregistration/v1 MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationKind: BuiltInKind = {
  strategy: configurationStrategy,
  setDefaults: defaultMutatingWebhooks,
  validate: validateWebhookConfiguration,
  printer: webhookConfigurationPrinter,
};

/** admissionregistration/v1 ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationKind: BuiltInKind = {
  strategy: configurationStrategy,
  setDefaults: defaultValidatingWebhooks,
  validate: validateWebhookConfiguration,
  printer: webhookConfigurationPrinter,
};
