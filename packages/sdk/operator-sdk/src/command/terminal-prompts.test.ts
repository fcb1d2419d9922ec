import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("reports an input that ends without an answer", () => {
  const script = `
    import { terminalPrompts } from ${JSON.stringify(new URL("./terminal-prompts.ts", import.meta.url).href)};
    try {
      await terminalPrompts.text("Group (--group)", () => undefined, "cache");
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    input: "",
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "cancelled; nothing was written\n" });
});
