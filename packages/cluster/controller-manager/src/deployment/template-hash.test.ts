import fc from "fast-check";
import { expect, test } from "vitest";
import { equalIgnoringHash, templateHash } from "./template-hash.ts";

const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "web", image: "web:1" }] },
};

test("a hash is short, spelled with safe characters, and changes with the template and with collisions", () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.nat(), { nil: undefined }), (image, collisionCount) => {
      const hash = templateHash({ spec: { containers: [{ name: "web", image }] } }, collisionCount);
      expect(hash).toMatch(/^[456789bcdf]{1,10}$/);
    }),
  );
  expect(templateHash(template, 1)).not.toBe(templateHash(template));
  expect(templateHash({ ...template, spec: { containers: [] } })).not.toBe(templateHash(template));
});

test("the order of keys and nulls do not count", () => {
  const reordered = { spec: { containers: [{ image: "web:1", name: "web" }] }, metadata: template.metadata };
  expect(templateHash(reordered)).toBe(templateHash(template));
  const withNull = { ...template, metadata: { ...template.metadata, creationTimestamp: null } };
  expect(equalIgnoringHash(withNull as unknown as typeof template, template)).toBe(true);
});

test("templates are compared without the hash label, and nothing else is left out", () => {
  const labelled = { ...template, metadata: { labels: { app: "web", "pod-template-hash": "abc" } } };
  expect(equalIgnoringHash(labelled, template)).toBe(true);
  const other = { ...template, metadata: { labels: { app: "web", tier: "front" } } };
  expect(equalIgnoringHash(other, template)).toBe(false);
});
