import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("an hour passes in the README's test on the clock of cluster and manager", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, example = ""] =
    /<!-- runs in src\/testing\/readme.test.ts -->\n```ts\n(.*?)```/s.exec(readme) ?? [];
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    { cwd: root },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  expect({ output, errors, code }).toEqual({
    output: "an hour later the note is deleted\n",
    errors: "",
    code: 0,
  });
});
