import type { JsonObject } from "../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

/** admissionregistration/v1 ValidatingWebhookConfiguration. */
export function defaultValidatingWebhooks(configuration: JsonObject): void {
  for (const webhook of objectsOf(configuration.webhooks)) defaultWebhook(webhook);
}

/** admissionregistration/v1 MutatingWebhookConfiguration. */
export function defaultMutatingWebhooks(configuration: JsonObject): void {
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

/** admissionregistration/v1 ValidatingAdmissionPolicy. */
export function defaultValidatingAdmissionPolicy(policy: JsonObject): void {
  const spec = ensureObject(policy, "spec");
  setDefault(spec, "failurePolicy", "Fail");
  for (const constraints of objectsOf([spec.matchConstraints ?? null])) defaultMatchResources(constraints);
}

/** admissionregistration/v1 ValidatingAdmissionPolicyBinding. */
export function defaultPolicyBinding(binding: JsonObject): void {
  const spec = ensureObject(binding, "spec");
  for (const resources of objectsOf([spec.matchResources ?? null])) defaultMatchResources(resources);
}

function defaultMatchResources(resources: JsonObject): void {
  setDefault(resources, "matchPolicy", "Equivalent");
  ensureObject(resources, "namespaceSelector");
  ensureObject(resources, "objectSelector");
  defaultRules(resources.resourceRules);
  defaultRules(resources.excludeResourceRules);
}

function defaultRules(rules: JsonObject[string]): void {
  for (const rule of objectsOf(rules)) setDefault(rule, "scope", "*");
}
