import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Edits the webhooks of a scaffold as an author would. Adds a default, a rule, and a visible conversion: the
 * hub has the text of `foo` reversed.
 */
export function editWebhooks(project: string): void {
  const edit = (path: string, from: string | RegExp, to: string): void => {
    const file = join(project, path);
    const text = readFileSync(file, "utf8");
    const after = text.replaceAll(from, to);
    assert.notEqual(after, text, `${path} has no ${from}`);
    writeFileSync(file, after);
  };
  const webhook = "api/v1alpha1/memcached.webhook.ts";
  edit(
    webhook,
    "  // your defaults here\n",
    '  if (memcached.spec?.foo !== "refused") memcached.spec = { ...memcached.spec, foo: "defaulted" };\n',
  );
  edit(
    webhook,
    /(validateCreate\(.*\n) {2}\/\/ your rules here\n/g,
    '$1  if (memcached.spec?.foo === "refused") throw new Error("refused is refused");\n',
  );
  // The scaffolded test expects the stored value, which the default changes.
  edit(
    "api/v1alpha1/memcached.webhook.test.ts",
    'toMatchObject({ foo: "bar" })',
    'toEqual({ foo: "defaulted" })',
  );
  const conversion = "api/v1/memcached.conversion.ts";
  edit(
    conversion,
    "({ spec, status }) => ({ spec, status })",
    "({ spec, status }) => ({ spec: mirror(spec), status })",
  );
  edit(
    conversion,
    "/** Converts between the hub",
    `function mirror<T extends { foo?: string }>(spec: T | undefined): T | undefined {
  return spec?.foo === undefined ? spec : { ...spec, foo: [...spec.foo].reverse().join("") };
}

$&`,
  );
}
