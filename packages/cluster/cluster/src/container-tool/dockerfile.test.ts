import { expect, it } from "vitest";
import { readIgnoreFile } from "./dockerfile.ts";

const path = `${"folder/".repeat(20)}file.txt`;

it("excludes what its patterns match, except exceptions", () => {
  const ignores = readIgnoreFile(
    "# wildcards: * * * * * * * * * * * *\n**/*.log\nbuild\n!build/keep\n",
    ".dockerignore",
  );
  expect(["a/b/x.log", "build/x", "build/keep", "src", ""].map(ignores)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it("matches a pattern of 200 times **/ at once", () => {
  expect(readIgnoreFile(`${"**/".repeat(200)}other`, ".dockerignore")(path)).toBe(false);
  expect(readIgnoreFile(`${"**/".repeat(200)}file.txt`, ".dockerignore")(path)).toBe(true);
});

it("rejects a pattern with so many wildcards that matching would not end", () => {
  expect(() => readIgnoreFile(`ok\n${"**/f*/".repeat(50)}x`, ".dockerignore")).toThrow(
    ".dockerignore:2: 100 wildcards in one pattern (at most 10)",
  );
});
