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

test("shows a manifest without Secrets unchanged", () => {
  expect(deployedRelease("web", `---${map}---${map}`)).toEqual({
    name: "web",
    manifest: `---${map}---${map}`,
  });
  expect(deployedRelease("web", "")).toEqual({ name: "web", manifest: "" });
});

test("shows the names of a Secret's values, and not the values", () => {
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

test("does not show what is not YAML, because it may hold a secret", () => {
  const { manifest } = deployedRelease(
    "web",
    "---\n# Source: a.yaml\nkind: Secret\ndata: {a: hunter2\n---\nkind: A\n",
  );
  expect(manifest).not.toContain("hunter2");
  expect(manifest).toContain("# a.yaml: not shown, because its output is not YAML\n---\nkind: A");
});

test("shows no value of a Secret, wherever the Secret is", () => {
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
  // The items of a SecretList may omit their kind.
  const untyped = stringify({ kind: "SecretList", items: [{ metadata: {}, data: { a: marker } }] });
  expect(deployedRelease("web", untyped).manifest).not.toContain(marker);
});

test("keeps to the largest size, and says how many documents are missing", () => {
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
