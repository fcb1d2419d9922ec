import { ApiError, apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { isEqualJson } from "../../client/merge-patch.ts";
import { compareFields, type Field, fieldsOf } from "./field-set.ts";
import { mergeFields, removeField } from "./merge-fields.ts";
import {
  filtered,
  isSameManager,
  type ManagedFields,
  type Manager,
  type Ownership,
  replaced,
} from "./ownership.ts";

export interface Application {
  resource: Resource;
  /** The current object with the owners of its fields. undefined if it does not exist. */
  live: { object: KubeObject; ownership: Ownership } | undefined;
  config: KubeObject;
  manager: string;
  part: "main" | "status";
  /** The part of the object that the configuration describes. */
  fields: "main" | "status" | "all";
  /** Takes over fields that others own. */
  force: boolean;
}

/**
 * Returns the object after a server-side apply. It has the fields of the configuration. Fields that the
 * manager applied earlier and that are missing now are removed, unless another manager owns them, too.
 *
 * @throws ApiError Conflict naming the fields that others own and whose values differ
 */
export function applyConfiguration(application: Application): { object: KubeObject; ownership: Ownership } {
  const { resource, live, config, part, fields, force } = application;
  const { kind } = resource;
  const apiVersion = apiVersionOf(resource);
  const manager: Manager = { name: application.manager, operation: "Apply", part, apiVersion };
  const wanted = fieldsOf(config, fields);
  const before = live?.ownership ?? [];
  const others = before
    .filter((each) => !isSameManager(each, manager))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const present = fieldsOf(live?.object ?? {}, fields);
  const conflicts = others.flatMap((other) =>
    [...other.fields]
      .sort(([, a], [, b]) => compareFields(a, b))
      .flatMap(([path]) => {
        const [asked, found] = [wanted.get(path), present.get(path)];
        return asked && !isEqualJson(asked.value, found?.value) ? [{ other, path }] : [];
      }),
  );
  if (conflicts.length > 0 && !force) throw applyConflict(conflicts);
  const left = others.map((other) => ({
    ...other,
    fields: filtered(
      other.fields,
      (path) => !conflicts.some((each) => each.other === other && each.path === path),
    ),
  }));
  const owned = replaced(left, { ...manager, fields: wanted });
  const former = before.find((each) => isSameManager(each, manager));
  const dropped = [...(former?.fields ?? [])].filter(([path]) => !isOwned(owned, path));
  let object = mergeFields(live?.object ?? {}, config, kind) as KubeObject;
  // Remove an item before its fields.
  for (const [, field] of dropped.sort(byLength)) {
    object = (removeField(object, field, kind) ?? {}) as KubeObject;
  }
  return { object, ownership: owned };
}

const byLength = ([a]: [string, Field], [b]: [string, Field]) => a.length - b.length;

/** An item is also owned through its fields. */
function isOwned(ownership: Ownership, path: string): boolean {
  return ownership.some(({ fields }) =>
    [...fields.keys()].some(
      (each) => each === path || each.startsWith(`${path}.`) || each.startsWith(`${path}[`),
    ),
  );
}

function applyConflict(conflicts: readonly { other: ManagedFields; path: string }[]): ApiError {
  const count = conflicts.length === 1 ? "1 conflict" : `${conflicts.length} conflicts`;
  const named = new Map<string, string[]>();
  for (const { other, path } of conflicts) {
    const name = nameOf(other);
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  const lines = [...named].map(([name, paths]) =>
    conflicts.length === 1
      ? `conflict with ${name}: ${paths[0]}`
      : [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)].join("\n"),
  );
  return new ApiError({
    ...{ apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", code: 409, reason: "Conflict" },
    message: `Apply failed with ${count}: ${lines.join("\n")}`,
    details: {
      causes: conflicts.map(({ other, path }) => ({
        ...{ reason: "FieldManagerConflict", message: `conflict with ${nameOf(other)}`, field: path },
      })),
    },
  });
}

function nameOf({ name, operation, part, apiVersion }: Manager): string {
  const subresource = part === "status" ? ' with subresource "status"' : "";
  return `${JSON.stringify(name)}${subresource}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
