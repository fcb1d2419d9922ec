import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";

/** apiextensions/v1 CustomResourceDefinition: names that follow from the kind, no conversion. */
export function defaultCrd(crd: JsonObject): void {
  const { spec } = crd;
  if (!isJsonObject(spec)) return;
  const { names, conversion } = spec;
  if (isJsonObject(names) && typeof names.kind === "string" && names.kind !== "") {
    if (!names.singular) names.singular = names.kind.toLowerCase();
    if (!names.listKind) names.listKind = `${names.kind}List`;
  }
  if (!isJsonObject(conversion)) spec.conversion = { strategy: "None" };
  else if (!conversion.strategy) conversion.strategy = "None";
  const webhook = isJsonObject(conversion) ? conversion.webhook : undefined;
  const config = isJsonObject(webhook) ? webhook.clientConfig : undefined;
  if (isJsonObject(config) && isJsonObject(config.service) && config.service.port === undefined) {
    config.service.port = 443;
  }
}
