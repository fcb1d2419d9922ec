import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseManifest } from "../drift/parse-manifest.ts";
import { deployedRelease } from "./deployed-release.ts";

const map = `
# Source: web/templates/map.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}   # as it is written
data: {a: "1"}
`;

test("a manifest without Secrets is shown as it is", () => {
  expect(deployedRelease("web", `---${map}---${map}`)).toEqual({
    name: "web",
    manifest: `---${map}---${map}`,
  });
  expect(deployedRelease("web", "")).toEqual({ name: "web", manifest: "" });
});

test("of a Secret the names of its values are shown", () => {
  const secret = `
# Source: web/templates/secret.yaml
apiVersion: v1
kind: Secret
metadata:
  name: login
  annotations: { kubectl.kubernetes.io/last-applied-configuration: '{"data":{"user":"YWRtaW4="}}' }
data: { user: YWRtaW4= }
stringData:
  password: |
    hunter2
    and more
`;
  const { manifest } = deployedRelease("web", `---${map}---${secret}`);
  expect(manifest).toContain(map);
  expect(manifest).not.toMatch(/YWRtaW4=|hunter2|and more/);
  const [, shown] = parseManifest(manifest);
  expect(shown).toMatchObject({
    template: "web/templates/secret.yaml",
    object: { kind: "Secret", data: { user: "REDACTED" }, stringData: { password: "REDACTED" } },
  });
});

test("what is no YAML is not shown: nobody knows what is in it", () => {
  const { manifest } = deployedRelease(
    "web",
    "---\n# Source: a.yaml\nkind: Secret\ndata: {a: hunter2\n---\nkind: A\n",
  );
  expect(manifest).not.toContain("hunter2");
  expect(manifest).toContain("# a.yaml: what it renders is not YAML, and is not shown\n---\nkind: A");
});

test("no value of a Secret is shown, wherever the Secret stands", () => {
  const marker = "s3cr3t";
  const secret = fc.record({
    apiVersion: fc.constant("v1"),
    kind: fc.constant("Secret"),
    metadata: fc.record({ name: fc.string() }),
    data: fc.dictionary(fc.string(), fc.constant(marker)),
    stringData: fc.oneof(fc.dictionary(fc.string(), fc.constant(`a\n${marker}`)), fc.constant(marker)),
  });
  const list = fc.record({
    apiVersion: fc.constant("v1"),
    kind: fc.constantFrom("List", "SecretList"),
    items: fc.array(secret, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(secret, list), { maxLength: 4 }), (objects) => {
      const text = objects.map((object) => `---\n${stringify(object)}`).join("");
      expect(deployedRelease("web", text).manifest).not.toContain(marker);
    }),
  );
  // The items of a SecretList need not say what they are.
  const untyped = stringify({ kind: "SecretList", items: [{ metadata: {}, data: { a: marker } }] });
  expect(deployedRelease("web", untyped).manifest).not.toContain(marker);
});

test("it has no more bytes than it may, and says how much is missing", () => {
  const documents = Array.from({ length: 100 }, (_, index) => `---\nname: é${index}\n`);
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 3000 }), (maxBytes) => {
      const { manifest } = deployedRelease("web", documents.join(""), { maxBytes });
      expect(Buffer.byteLength(manifest)).toBeLessThanOrEqual(maxBytes);
      const shown = manifest.match(/^name: /gm)?.length ?? 0;
      const [, missing] = /^# (\d+) more documents.*: helm get manifest web$/m.exec(manifest) ?? [];
      expect(shown + Number(missing ?? 0)).toBe(100);
    }),
    { numRuns: 30 },
  );
});
