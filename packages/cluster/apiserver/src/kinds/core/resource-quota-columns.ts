import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface ResourceQuota extends Named {
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

export const resourceQuotaPrinter = definePrinter<ResourceQuota>((object, context) => {
  const { hard = {}, used = {} } = object.status ?? {};
  const requests: string[] = [];
  const limits: string[] = [];
  for (const resource of Object.keys(hard).sort()) {
    const cell = resource.startsWith("limits.") ? limits : requests;
    cell.push(`${resource}: ${used[resource] ?? "0"}/${hard[resource] ?? "0"}`);
  }
  return [nameOf(object), requests.join(", "), limits.join(", "), ageOf(object, context)];
});
