import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { linkPackages } from "../testing/running-project.ts";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";
import { findCheckout } from "../workspace/find-checkout.ts";

test("an error of the image's program names a line of src", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  await folder.run("generate");
  linkPackages(folder.cwd);
  const { bundle } = JSON.parse(folder.read("package.json")).scripts;
  const bin = join(findCheckout() ?? "", "node_modules/.bin");
  mkdirSync(join(folder.cwd, "dist"));
  await execa("sh", ["-c", `${bundle} --conditions=@operator-path/source`], {
    ...{ cwd: folder.cwd, env: { PATH: [bin, process.env.PATH].join(delimiter) } },
  });
  const [, options = ""] = /^ENV NODE_OPTIONS=(.*)$/m.exec(folder.read("Dockerfile")) ?? [];
  const env = { HOME: folder.cwd, KUBECONFIG: join(folder.cwd, "missing"), NODE_OPTIONS: options };
  const { stderr, exitCode } = await execa(process.execPath, [join(folder.cwd, "dist/main.js")], {
    ...{ cwd: dirname(folder.cwd), env, extendEnv: false, reject: false },
  });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr).stacktrace).toMatch(/memcached-operator\/src\/main\.ts:\d+/);
});
