import { compareQuantities, type ParsedQuantity, parseQuantity } from "@operator-path/client";
import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { invalid, required } from "../../../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../../../lib/formats/names.ts";
import type { JsonObject } from "../../../../lib/json/json.ts";
import { labels } from "../../../../lib/json/read.ts";

const standard = /^(cpu|memory|ephemeral-storage|hugepages-.+)$/;
const standardAnywhere =
  /^(cpu|memory|ephemeral-storage|hugepages-.+|storage|pods|services|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|(requests|limits)\..+|services\..+|count\/.+)$/;
const nano = 1_000_000_000n;

/** Validates the core/v1 ResourceRequirements of a container. */
export function validateResources(resources: JsonObject, path: string): StatusCause[] {
  const limits = quantities(resources.limits);
  const requests = quantities(resources.requests);
  const causes: StatusCause[] = [];
  for (const [name, amounts] of [
    ["limits", limits],
    ["requests", requests],
  ] as const) {
    for (const [resource, { quantity, shown }] of amounts) {
      const inner = `${path}.${name}[${resource}]`;
      causes.push(
        ...validateResourceName(resource, inner),
        ...validateQuantity(resource, quantity, shown, inner),
      );
    }
  }
  for (const [resource, { quantity, shown }] of requests) {
    const limit = limits.get(resource);
    const shareable = standard.test(resource) && !resource.startsWith("hugepages-");
    if (limit === undefined) {
      if (!shareable) {
        causes.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
      }
    } else if (!shareable && compareQuantities(quantity, limit.quantity) !== 0) {
      const detail = `must be equal to ${resource} limit of ${limit.shown}`;
      causes.push(invalid(`${path}.requests`, shown, detail));
    } else if (compareQuantities(quantity, limit.quantity) > 0) {
      const detail = `must be less than or equal to ${resource} limit of ${limit.shown}`;
      causes.push(invalid(`${path}.requests`, shown, detail));
    }
  }
  return causes;
}

export function quantities(
  value: JsonObject[string],
): Map<string, { quantity: ParsedQuantity; shown: string }> {
  return new Map(
    Object.entries(labels(value)).map(([name, shown]) => [name, { quantity: parseQuantity(shown), shown }]),
  );
}

/**
 * Validates the name of a resource.
 * @param ofContainers whether only resources of containers are allowed
 */
export function validateResourceName(name: string, path: string, ofContainers = true): StatusCause[] {
  const causes = isQualifiedName(name).map((error) => invalid(path, name, error));
  if (name.includes("/")) return causes;
  if (causes.length === 0 && !standardAnywhere.test(name)) {
    causes.push(invalid(path, name, "must be a standard resource type or fully qualified"));
  }
  if (ofContainers && !standard.test(name)) {
    causes.push(invalid(path, name, "must be a standard resource for containers"));
  }
  return causes;
}

/** Validates an amount of a resource (ValidateResourceQuantityValue). @param shown the amount as the client wrote it */
export function validateQuantity(
  resource: string,
  quantity: ParsedQuantity,
  shown: string,
  path: string,
): StatusCause[] {
  const causes: StatusCause[] = [];
  if (quantity.nano < 0n) causes.push(invalid(path, shown, "must be greater than or equal to 0"));
  if ((resource === "pods" || resource.includes("/")) && quantity.nano % nano !== 0n) {
    causes.push(invalid(path, shown, "must be an integer"));
  }
  return causes;
}
