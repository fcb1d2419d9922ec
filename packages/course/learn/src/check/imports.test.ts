import { expect, it } from "vitest";
import { importLinesCovered } from "./imports.ts";

const page = 'import type { Client, Logger } from "sdk";\n\nexport const limit = 100;\n';
const covered = (text: string, own: string) => [...importLinesCovered("a.ts", text, own)];

it.each([
  ["one more name", 'import { objectKeyOf, type Client, type Logger } from "sdk";'],
  ["two declarations", 'import type { Client } from "sdk";\nimport type { Logger } from "sdk";'],
  ["several lines", 'import {\n  type Client,\n  type Logger,\n} from "sdk";'],
  ["another local name", 'import type { Client as Api, Logger } from "sdk";'],
])("covers an import line of the page by an import with %s", (_, own) => {
  expect(covered(page, own)).toEqual([0]);
});

it.each([
  ["lacks a name", 'import type { Client } from "sdk";'],
  ["is from another module", 'import type { Client, Logger } from "other";'],
  ["imports other names by default", 'import Client, { type Logger } from "sdk";'],
  ["is only a comment", '// import type { Client, Logger } from "sdk";'],
])("covers no import line if the learner's %s", (_, own) => {
  expect(covered(page, own)).toEqual([]);
});

it("leaves out, of an import of several lines, only the lines with a name that the learner lacks", () => {
  const text = 'import {\n  type Client,\n  type Logger,\n} from "sdk";\n';
  expect(covered(text, 'import type { Client } from "sdk";')).toEqual([0, 1, 3]);
});
