import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { type FenceChoice, findBoundary } from "./find-boundary.ts";
import { startProcess } from "./start-process.ts";

it("finds no boundary when none is asked for, and says why", async () => {
  const { boundary, report } = await findBoundary("node");
  expect(boundary).toBeUndefined();
  expect(report).toMatchObject({ kind: "node", reason: expect.stringContaining("OPERATOR_PATH_FENCE") });
});

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "hides this machine, and passes on environment, output and signals: %s",
  async (choice) => {
    const { boundary, mounts, report } = await findBoundary(choice);
    // A machine may offer neither: then it says why.
    if (boundary === undefined) return expect(report.reason).toMatch(/\S/);
    const env = { PLAIN: `it's "a" \\n\n$HOME`, "with.dot": "b", UID: "7", BASH_ENV: "/x" };
    const program = `process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000);
      console.log(JSON.stringify([process.env, fs.existsSync(${JSON.stringify(import.meta.filename)}), process.pid < 100]));`;
    const { child, signal, ending } = startProcess(
      boundary,
      { file: process.execPath, argv0: "node", args: ["-e", program], cwd: "/", env, mounts },
      ["ignore", "pipe", "pipe"],
    );
    const errors = text(child.stderr as Readable);
    const [line] = await once(child.stdout as Readable, "data");
    const [{ PWD: _, ...seen }, isVisible, isSmall] = JSON.parse(String(line));
    expect([seen, isVisible, isSmall]).toEqual([env, false, true]);
    signal("SIGTERM");
    const [code, by] = await once(child, "exit");
    expect(ending(code, by)).toEqual({ code: 3, signal: null });
    expect(await errors).toBe("");
  },
);
