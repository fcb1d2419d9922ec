import { expect, test } from "vitest";
import { apiOf, runIn } from "../testing/run.ts";

const types = `import type { int32, KubeObject } from "@operator-path/controller-gen/types";

/** Spec is the desired state. */
export interface ThingSpec {
  /**
   * Size of it.
   * In two lines.
   * +kubebuilder:validation:Minimum=0
   */
  size: int32;
  /** Names. */
  names?: string[];
}

/**
 * Thing is a thing.
 * +kubebuilder:subresource:status
 */
export interface Thing extends KubeObject {
  spec?: ThingSpec;
}
`;

function crdOf(text: string): string | undefined {
  const { stderr, written } = runIn(apiOf(text), ["crd", "paths=./..."]);
  expect(stderr).toBe("");
  return written["config/crd/test.example.com_things.yaml"];
}

test.each([
  ["with the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  [
    "with line comments",
    (text: string) =>
      text
        .replaceAll(/^ *\/\*\*\n/gm, "")
        .replaceAll(/^ *\*\/\n/gm, "")
        .replaceAll(/^ *\* /gm, "// "),
  ],
  [
    "with markers above the comment",
    (text: string) =>
      text
        .replace("   * +kubebuilder:validation:Minimum=0\n", "")
        .replace("  /**\n   * Size", "  // +kubebuilder:validation:Minimum=0\n\n  /**\n   * Size"),
  ],
  [
    "with markers below the comment",
    (text: string) =>
      text.replace(" * +kubebuilder:subresource:status\n */", " */\n// +kubebuilder:subresource:status"),
  ],
  ["as type aliases", (text: string) => text.replace("interface ThingSpec {", "type ThingSpec = {")],
  [
    "under other names",
    (text: string) =>
      text
        .replace("{ int32, KubeObject }", "{ int32 as Int, KubeObject as Base }")
        .replace("size: int32", "size: Int")
        .replace("extends KubeObject", "extends Base"),
  ],
  [
    "with readonly fields and lists",
    (text: string) => text.replace("size:", "readonly size:").replace("string[]", "readonly string[]"),
  ],
  ["with quoted names", (text: string) => text.replace("size:", '"size":')],
  [
    "with code around it",
    (text: string) =>
      `${text}\n/** Not a type. */\nexport const answer = 42; // and a comment\nexport function f(): void {\n  // + 1\n}\n`,
  ],
  [
    "with comments that belong to no field",
    (text: string) => text.replace("  /** Names. */", "  // A note to the reader.\n\n  /** Names. */"),
  ],
])("generates the same CRD %s", (_how, change) => {
  const changed = change(types);
  expect(changed).not.toBe(types);
  expect(crdOf(changed)).toBe(crdOf(types));
});

test("accepts types in any order, and types that are not exported", () => {
  const [head = "", spec = "", thing = ""] = types.split(/\n\n(?=\/\*\*)/);
  expect(crdOf([head, thing.trimEnd(), spec.replace("export ", ""), ""].join("\n\n"))).toBe(crdOf(types));
});
