import { expect, test } from "vitest";
import { runIn } from "../testing/run.ts";

const group = "// +groupName=test.example.com\nexport const groupVersion = {};\n";

function moduleOf(files: Readonly<Record<string, string>>): string | undefined {
  const { stderr, written } = runIn(files, ["object", "paths=./..."]);
  expect(stderr).toBe("");
  return written["api/v1/zz_generated.resources.ts"];
}

function kind(text: string): Record<string, string> {
  return {
    "api/v1/groupversion.info.ts": group,
    "api/v1/a.types.ts": `import type { ContainerPort, int32, KubeObject } from "@operator-path/controller-gen/types";\n${text}`,
  };
}

test("exports the resource of each kind with its plural and scope, sorted by kind", () => {
  const text = moduleOf(
    kind(`export interface HTTPProxy extends KubeObject {}
/** +kubebuilder:resource:path=gates,scope=Cluster */
export interface Gateway extends KubeObject {}
/** +kubebuilder:object:generate=false */
export interface Hidden extends KubeObject {}
`),
  );
  expect(text).toContain(`export const gateways: Resource<Gateway> = defineResource<Gateway>({
  group: "test.example.com",
  version: "v1",
  kind: "Gateway",
  plural: "gates",
  namespaced: false,
});`);
  expect(text?.indexOf("gateways")).toBeLessThan(text?.indexOf("export const httpProxies") ?? 0);
  expect(text).not.toContain("Hidden");
});

test("omits documentation and CEL rules, and shares repeated schemas", () => {
  const text = moduleOf(
    kind(`/** Long text. */
export interface Part {
  // +kubebuilder:validation:XValidation:rule="self > 0"
  // +kubebuilder:validation:Minimum=1
  size: int32;
  first: string;
  second: string;
  third: string;
  fourth: string;
  fifth: string;
  sixth: string;
}
export interface Pair extends KubeObject {
  left?: Part;
  right?: Part;
}
`),
  );
  expect(text).not.toMatch(/Long text|self > 0/);
  expect(text?.match(/minimum: 1/g)).toHaveLength(1);
  expect(text).toContain('left: shared1,\n    metadata: { type: "object" },\n    right: shared1,');
});

test("renames a kind whose name the module imports", () => {
  const text = moduleOf(kind("export interface Resource extends KubeObject {}\n"));
  expect(text).toContain('import type { Resource as ResourceObject } from "./a.types.ts";');
  expect(text).toContain(
    "export const resources: Resource<ResourceObject> = defineResource<ResourceObject>(",
  );
});

test("writes a module for each version that is not skipped", () => {
  const version = (name: string, marker: string) => ({
    [`api/${name}/groupversion.info.ts`]: group,
    [`api/${name}/a.types.ts`]: `import type { KubeObject } from "@operator-path/controller-gen/types";\n// ${marker}\nexport interface A extends KubeObject {}\n`,
  });
  const files = {
    ...version("v1", "+kubebuilder:storageversion"),
    ...version("v1beta1", "+kubebuilder:unservedversion"),
    ...version("v2", "+kubebuilder:skipversion"),
  };
  const { written } = runIn(files, ["object", "docs", "paths=./..."]);
  expect(Object.keys(written).sort()).toEqual([
    "api/v1/zz_generated.resources.ts",
    "api/v1beta1/zz_generated.resources.ts",
    "docs/test.example.com_v1.md",
    "docs/test.example.com_v1beta1.md",
  ]);
  expect(written["api/v1beta1/zz_generated.resources.ts"]).toContain('version: "v1beta1"');
});
