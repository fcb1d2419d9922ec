import { expect, test } from "vitest";
import { packedLinks } from "./packed-links.ts";

const page = {
  path: "packages/sdk/client/README.md",
  isPacked: (path: string) => path.startsWith("packages/sdk/client/docs"),
};
const repository = "https://github.com/example/operators";

test.each([
  ["a page of another package", "See [the *cache*](../informers/README.md#lists).", "See the *cache*."],
  ["a source file", "[`list`](src/list.ts),", "`list`,"],
  ["a folder", "[all](../../../docs/)", "all"],
  ["an image", "![a chart](bench/list.svg)", "a chart"],
])("a link to %s becomes plain text while there is no public repository", (_, text, packed) => {
  expect(packedLinks(text, page)).toBe(packed);
});

test.each([
  [
    "[the *cache*](../informers/README.md#lists)",
    `[the *cache*](${repository}/blob/HEAD/packages/sdk/informers/README.md#lists)`,
  ],
  ["[`list`](src/list.ts)", `[\`list\`](${repository}/blob/HEAD/packages/sdk/client/src/list.ts)`],
  ["[all](../../../docs/)", `[all](${repository}/blob/HEAD/docs)`],
  ["![a chart](bench/list.svg)", `![a chart](${repository}/raw/HEAD/packages/sdk/client/bench/list.svg)`],
])("%s becomes a link to the public repository", (text, packed) => {
  expect(packedLinks(text, { ...page, repository })).toBe(packed);
});

test.each([
  "[kind](https://kind.sigs.k8s.io) and [mail](mailto:a@example.com)",
  "[below](#errors)",
  "[markers](docs/markers.md#rbac)",
  "`[no](link.md)` and\n```\n[no](link.md)\n```\n",
  "a[0](x y) and f[1] (z)",
])("%s does not change", (text) => {
  expect(packedLinks(text, page)).toBe(text);
  expect(packedLinks(text, { ...page, repository })).toBe(text);
});
