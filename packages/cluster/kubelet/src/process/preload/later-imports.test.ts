import { expect, it } from "vitest";
import { laterImports } from "./later-imports.ts";

it.each([
  [
    ["--require", "/a.cjs", "--enable-source-maps"],
    ["--import=/a.cjs", "--enable-source-maps"],
  ],
  [["-r", "/a.cjs"], ["--import=/a.cjs"]],
  [["--require=/a=b.cjs"], ["--import=/a=b.cjs"]],
  [["--import", "./a.mjs"], ["--import=./a.mjs"]],
  [["--experimental_loader=./hooks.mjs", "--loader", "./hooks.mjs", "-i"], ["-i"]],
  [["--require"], []],
])("%j", (words, later) => {
  expect(laterImports(words)).toEqual(later);
});
