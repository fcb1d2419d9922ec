import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { forbidden, invalid, required } from "../../../../apimachinery/validation/cause.ts";
import { validateIp } from "../../../../apimachinery/validation/rules.ts";
import { isDns1123Subdomain, isQualifiedName } from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject } from "../../../../lib/json/json.ts";
import { objects, text, texts } from "../../../../lib/json/read.ts";

const searchPattern = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";
const searchWords = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchPattern}')`;

/** Validates the names and addresses of a Pod: dnsConfig, hostAliases and readinessGates. */
export function validatePodNetwork(spec: JsonObject, path: string): StatusCause[] {
  return [
    ...validateDnsConfig(spec, path),
    ...objects(spec.hostAliases).flatMap((alias, index) => {
      const inner = `${path}.hostAliases[${index}]`;
      return [
        ...validateIp(text(alias.ip), `${inner}.ip`),
        ...texts(alias.hostnames).flatMap((name, at) =>
          isDns1123Subdomain(name).map((error) => invalid(`${inner}.hostnames[${at}]`, name, error)),
        ),
      ];
    }),
    ...validateGates(spec, path),
    ...objects(spec.readinessGates).flatMap((gate, index) => {
      const type = text(gate.conditionType);
      const field = `${path}.readinessGates[${index}].conditionType`;
      return isQualifiedName(type).map((error) => invalid(field, type, error));
    }),
  ];
}

/** Validates the scheduling gates. A Pod that has one has no node. */
function validateGates(spec: JsonObject, path: string): StatusCause[] {
  const gates = objects(spec.schedulingGates);
  const causes = gates.flatMap(({ name }, index) =>
    isQualifiedName(text(name)).map((error) =>
      invalid(`${path}.schedulingGates[${index}]`, text(name), error),
    ),
  );
  if (gates.length === 0 || text(spec.nodeName) === "") return causes;
  const detail = "cannot be set until all schedulingGates have been cleared";
  return [...causes, forbidden(`${path}.nodeName`, detail)];
}

function validateDnsConfig(spec: JsonObject, path: string): StatusCause[] {
  const config = isJsonObject(spec.dnsConfig) ? spec.dnsConfig : undefined;
  const inner = `${path}.dnsConfig`;
  const causes: StatusCause[] = [];
  const nameservers = texts(config?.nameservers);
  if (spec.dnsPolicy === "None") {
    if (config === undefined) {
      return [required(inner, "must provide `dnsConfig` when `dnsPolicy` is None")];
    }
    if (nameservers.length === 0) {
      causes.push(
        required(`${inner}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
      );
    }
  }
  causes.push(
    ...nameservers.flatMap((address, index) => validateIp(address, `${inner}.nameservers[${index}]`)),
  );
  texts(config?.searches).forEach((search, index) => {
    const name = search === "." ? "a" : search.replace(/\.$/, "");
    if (!new RegExp(`^${searchPattern}$`).test(name)) {
      causes.push(invalid(`${inner}.searches[${index}]`, search, searchWords));
    }
  });
  objects(config?.options).forEach((option, index) => {
    if (text(option.name) === "") causes.push(required(`${inner}.options[${index}]`, "must not be empty"));
  });
  return causes;
}
