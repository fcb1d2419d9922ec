import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initLine, openFolder } from "../testing/scaffolds.ts";

const make = ["/usr/bin/make", "/usr/local/bin/make"].find(existsSync) ?? "";

test.skipIf(make === "").each([["run"], ["build"]])(
  "make %s runs the Node that the project brings, not an older one on the PATH",
  async (target) => {
    using folder = openFolder();
    await folder.run(initLine);
    program(folder.cwd, "node_modules/.bin/node", 'echo "the own node: $*"');
    program(folder.cwd, "machine/node", "echo the node of the machine");
    for (const name of ["controller-gen", "tsc"]) program(folder.cwd, `node_modules/.bin/${name}`, "true");
    // Another test covers the check of the cluster.
    const output = execFileSync(make, ["--silent", "--assume-old=which-cluster", "CONTEXT=here", target], {
      cwd: folder.cwd,
      env: { PATH: `${join(folder.cwd, "machine")}:/usr/bin:/bin` },
      encoding: "utf8",
    });
    expect(output).toBe(
      target === "run" ? "the own node: src/main.ts --context=here\n" : "the own node: --run bundle\n",
    );
  },
);

function program(folder: string, path: string, script: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, path), 0o755);
}
