import { expect, test } from "vitest";
import { apiOf, runIn } from "../testing/run.ts";

const types = `import type { Condition, int32, KubeObject, Quantity } from "@operator-path/controller-gen/types";
import type { Shared } from "./shared.ts";

/** Mode of work. */
export type Mode = "fast" | "slow";

/** Spec has a | in its text. */
export interface Spec extends Shared {
  /**
   * How many.
   *
   * A second paragraph with <angle> brackets.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:default=3
   */
  size: int32;
  mode?: Mode;
  sizes?: Record<string, Quantity>;
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}

/**
 * Thing is a thing.
 * +kubebuilder:resource:shortName=th,scope=Cluster
 */
export interface Thing extends KubeObject {
  spec: Spec;
}
`;

test("a page lists the kinds, their types and the constraints of their fields", () => {
  const files = {
    ...apiOf(types),
    "api/v1/shared.ts": "/** Shared by all. */\nexport interface Shared { owner: string }\n",
  };
  const { written } = runIn(files, ["docs", "paths=./..."]);
  expect(written["docs/test.example.com_v1.md"]).toBe(`# test.example.com/v1

<!-- Written by controller-gen from the types. -->

## Thing

\`things.test.example.com\`, cluster-scoped, short name \`th\`.

Thing is a thing.

| Field | Type | Required | |
|-|-|-|-|
| \`metadata\` | object |  |  |
| \`spec\` | [Spec](#spec) | yes |  |

## Mode

Mode of work.

string: one of \`fast\`, \`slow\`.

## Shared

Shared by all.

| Field | Type | Required | |
|-|-|-|-|
| \`owner\` | string | yes |  |

## Spec

Spec has a | in its text.

With the fields of [Shared](#shared).

| Field | Type | Required | |
|-|-|-|-|
| \`size\` | int32 | yes | How many.<br>A second paragraph with &lt;angle> brackets.<br>at least \`0\`, default \`3\` |
| \`mode\` | [Mode](#mode) |  |  |
| \`sizes\` | map of \`Quantity\` |  |  |
| \`conditions\` | list of \`Condition\` |  | unique by \`type\` |
`);
});
