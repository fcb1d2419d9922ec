type Fields = { [key: string]: Fields };

/** The keys of list elements, by the list's field, as in the schemas of Pods and of our custom resource. */
const mergeKeys: Record<string, readonly string[]> = {
  conditions: ["type"],
  containers: ["name"],
  containerStatuses: ["name"],
  env: ["name"],
  initContainers: ["name"],
  podIPs: ["ip"],
  ports: ["containerPort", "protocol"],
  shards: ["name"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
};
/** Maps that are owned key by key, and can be owned as a whole too. */
const maps = new Set(["annotations", "labels", "limits", "requests", "settings"]);

/** One entry of metadata.managedFields, in the member order of built-in kinds. */
export function managedBy(
  manager: string,
  apiVersion: string,
  time: string,
  owned: object,
  subresource?: string,
): object {
  return {
    manager,
    operation: "Update",
    apiVersion,
    time,
    fieldsType: "FieldsV1",
    fieldsV1: fieldsOf(owned),
    ...(subresource && { subresource }),
  };
}

/**
 * Returns the fields of a value in the FieldsV1 format: `f:` a field, `k:` an element of a list by its keys.
 */
export function fieldsOf(value: unknown, field = ""): Fields {
  if (Array.isArray(value)) return elementsOf(value, field);
  if (typeof value !== "object" || value === null) return {};
  const fields: Fields = maps.has(field) ? { ".": {} } : {};
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    fields[`f:${key}`] = fieldsOf(member, key);
  }
  return fields;
}

function elementsOf(list: readonly unknown[], field: string): Fields {
  const fields: Fields = { ".": {} };
  if (field === "ownerReferences") {
    // Each is owned as a whole.
    for (const { uid } of list as { uid: string }[]) fields[`k:${JSON.stringify({ uid })}`] = {};
    return fields;
  }
  const keys = mergeKeys[field];
  if (keys === undefined) return {};
  for (const element of list as Record<string, unknown>[]) {
    const key = Object.fromEntries(keys.map((name) => [name, element[name]]));
    fields[`k:${JSON.stringify(key)}`] = { ".": {}, ...fieldsOf(element) };
  }
  return fields;
}
