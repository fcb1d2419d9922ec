/** Paths of what is different between two JSON values: "spec.replicas". Lists are compared as a whole. */
export function changedPaths(before: unknown, after: unknown, at = ""): string[] {
  if (isObject(before) && isObject(after)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...fields].flatMap((field) =>
      changedPaths(before[field], after[field], at === "" ? field : `${at}.${field}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
