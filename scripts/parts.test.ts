import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Lines of TypeScript by part, `package/folder` or `package/.`, without generated files and recorded data. */
function linesByPart(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const files = execFileSync("git", ["ls-files", "-z", "packages/*/*/src/*.ts", "packages/*/*/src/*.tsx"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name && !/\/(?:generated|recorded)\//.test(name))) {
    const [, , name, , ...path] = file.split("/");
    const part = `${name}/${path.length > 1 ? path[0] : "."}`;
    const text = readFileSync(join(root, file), "utf8");
    lines.set(part, (lines.get(part) ?? 0) + text.split("\n").length - 1);
  }
  return lines;
}

test("docs/packages.md says who needs each part with more than 1,000 lines, and no other", () => {
  const page = readFileSync(join(root, "docs/packages.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([\w-]+\/[\w.-]+)` \| ./gm)].map(([, part]) => part);
  const large = [...linesByPart()].filter(([, lines]) => lines > 1_000).map(([part]) => part);
  expect(rows.toSorted()).toEqual(large.toSorted());
});
