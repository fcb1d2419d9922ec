import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { checkFeatures, featureRows } from "./house/feature-rules.ts";
import type { Repository } from "./house/link-rules.ts";
import { testTitles } from "./house/test-titles.ts";

const root = join(import.meta.dirname, "..");
const page = "docs/features.md";

/** What an operator's author expects of a library, and what others were seen to do wrong. The page may say more. */
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

test("docs/features.md has a test for each feature, and those tests are there", () => {
  const texts = new Map(
    featureRows(readFileSync(join(root, page), "utf8"))
      .flatMap(({ links }) => links.map(({ href }) => posix.join("docs", href)))
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  texts.set(page, readFileSync(join(root, page), "utf8"));
  expect(features).toHaveLength(41);
  expect(checkFeatures(page, features, repositoryOf(texts))).toEqual([]);
});

test("a title is found however its test is written, but for one that never runs", () => {
  const text = `
    test("plain", () => {});
    describe("a group", () => { it('within', async () => {}); });
    test.each([1, 2])("of %s", () => {});
    test.skipIf(true).each\`a\`(\`on some machines: \${why}\`, () => {});
    test.skip("never", () => {});
    it.todo("later");
    // test("in a comment")
    const other = 'test("in a string")';
    best("of another function");
  `;
  expect(testTitles("a.test.ts", text)).toEqual(["plain", "within", "of %s", "on some machines: …"]);
});

test("a row that is missing or there twice, a feature without a test, a test that is gone, are named", () => {
  const table = [
    "| Feature | Here | Tests |\n|-|-|-|",
    '| One | [docs](b.md) | ["a" `b`](../a.test.ts) |',
    "| Two | | [gone](../a.test.ts), [x](../b.test.ts) |",
    "| Three | | [docs](b.md) |",
    "| Three | | [plain](../a.test.ts) |",
  ].join("\n");
  const texts = new Map([
    ["docs/f.md", table],
    ["a.test.ts", `test('"a" b', () => {});\ntest("plain", () => {});`],
  ]);
  expect(checkFeatures("docs/f.md", ["One", "Four"], repositoryOf(texts))).toEqual([
    "docs/f.md has no row for Four",
    "docs/f.md has two rows for Three",
    'docs/f.md: Two: a.test.ts runs no test named "gone"',
    "docs/f.md: Two: there is no b.test.ts",
    "docs/f.md: Three has no test",
  ]);
});

function repositoryOf(texts: ReadonlyMap<string, string>): Repository {
  return { files: new Set(texts.keys()), read: (file) => texts.get(file) ?? "" };
}
