import { expect, test } from "vitest";
import { importCircles } from "./house/circle-rules.ts";
import { readModule } from "./house/source-module.ts";

const modules = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([file, text]) => readModule(file, text));

test("finds files that import one another, also through others and for types", () => {
  const circles = importCircles(
    modules({
      "a/one.ts": `import { two } from "./two.ts";`,
      "a/two.ts": `import type { Three } from "../b/three.ts";\nimport "./alone.ts";`,
      "b/three.ts": `export { one } from "../a/one.ts";`,
      "a/alone.ts": `import "node:fs";\nimport "./missing.ts";`,
      "b/self.ts": `import "./self.ts";`,
    }),
  );
  expect(circles).toEqual([["a/one.ts", "a/two.ts", "b/three.ts"], ["b/self.ts"]]);
});

test("finds two circles that share an importer, and none in a diamond", () => {
  const circles = importCircles(
    modules({
      "top.ts": `import "./a.ts"; import "./c.ts"; import "./left.ts"; import "./right.ts";`,
      "a.ts": `import "./b.ts";`,
      "b.ts": `import "./a.ts";`,
      "c.ts": `import "./d.ts";`,
      "d.ts": `import "./c.ts"; import "./a.ts";`,
      "left.ts": `import "./bottom.ts";`,
      "right.ts": `import "./bottom.ts";`,
      "bottom.ts": "",
    }),
  );
  expect(circles).toEqual([
    ["a.ts", "b.ts"],
    ["c.ts", "d.ts"],
  ]);
});
