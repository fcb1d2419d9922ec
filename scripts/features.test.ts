import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { checkFeatures, featureRows } from "./house/feature-rules.ts";
import type { Repository } from "./house/link-rules.ts";
import { hasRunningTest } from "./house/running-tests.ts";

const root = join(import.meta.dirname, "..");
const page = "docs/features.md";

/** Features that operator authors expect, and defects seen in other libraries. The page may list more. */
const features = [
  ...["RV resume / 410 relist", "Bookmarks", "WatchList streaming", "Chunked lists", "Indexers / listers"],
  ...["Shared informers", "Resync", "Rate-limited workqueue", "Priority queue", "De-dup, per-key serial"],
  ...["MaxConcurrentReconciles", "Owns / Watches / MapFunc", "Predicates", "Result / TerminalError"],
  ...["Cached client + APIReader", "Cache scoping (ns, label, field)", "Metadata-only watch, transform"],
  ...["Server-side apply", "SetControllerReference, CreateOrUpdate", "Finalizer helpers", "EventRecorder"],
  ...["Leader election (Lease)", "Graceful drain", "Prometheus metrics", "healthz / readyz"],
  ...["Validating / mutating webhooks", "Conversion webhooks", "Certificate rotation", "Structured logs"],
  ...["envtest", "Fake client + interceptor", "Multi-namespace", "Tracing"],
  ...["One refused watch ends an informer", "A handler that throws", "Quiet watches that end in 410"],
  ...["Events of one object out of order", "Lists without end", "Slow recovery from 410"],
  ...["process.exit in a library", "A stale read of one's own write"],
];

test("docs/features.md links each feature to tests that run", () => {
  const texts = new Map(
    featureRows(readFileSync(join(root, page), "utf8"))
      .flatMap(({ links }) => links.map((href) => posix.join("docs", href)))
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  texts.set(page, readFileSync(join(root, page), "utf8"));
  expect(features).toHaveLength(41);
  expect(checkFeatures(page, features, repositoryOf(texts))).toEqual([]);
});

test.each([
  `test("plain", () => {});`,
  `describe("a group", () => { it('within', async () => {}); });`,
  `test.each([1, 2])("of %s", () => {});`,
  "test.skipIf(true).each`a`(`on some machines`, () => {});",
])("finds a test that runs in %s", (text) => {
  expect(hasRunningTest("a.test.ts", text)).toBe(true);
});

test.each([
  `test.skip("never", () => {});`,
  `it.todo("later");`,
  `// test("in a comment")`,
  `const other = 'test("in a string")';`,
  `best("of another function");`,
])("finds no test that runs in %s", (text) => {
  expect(hasRunningTest("a.test.ts", text)).toBe(false);
});

test("names a row that is missing or there twice, a feature without a test and a missing test file", () => {
  const table = [
    "| Feature | Here | Tests |\n|-|-|-|",
    "| One | [docs](b.md) | [a](../a.test.ts) |",
    "| Two | | [a](../a.test.ts), [b](../b.test.ts) |",
    "| Three | | [docs](b.md) |",
    "| Three | | [c](../c.test.ts) |",
  ].join("\n");
  const texts = new Map([
    ["docs/f.md", table],
    ["a.test.ts", `test("plain", () => {});`],
    ["c.test.ts", `test.skip("plain", () => {});`],
  ]);
  expect(checkFeatures("docs/f.md", ["One", "Four"], repositoryOf(texts))).toEqual([
    "docs/f.md has no row for Four",
    "docs/f.md has two rows for Three",
    "docs/f.md: Two: b.test.ts does not exist",
    "docs/f.md: Three has no test",
    "docs/f.md: Three: c.test.ts runs no test",
  ]);
});

function repositoryOf(texts: ReadonlyMap<string, string>): Repository {
  return { files: new Set(texts.keys()), read: (file) => texts.get(file) ?? "" };
}
