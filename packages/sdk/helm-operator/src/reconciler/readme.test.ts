import { spawn } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { conditionsOf, longTimeout, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

const root = join(import.meta.dirname, "../..");

test(
  "the README's operator installs and uninstalls a release, and stops on SIGTERM",
  async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const [, example = ""] =
      /<!-- runs in src\/reconciler\/readme.test.ts -->\n```ts\n(.*?)```/s.exec(readme) ?? [];
    const [, watches = ""] = /```yaml\n(.*?)```/s.exec(readme) ?? [];
    const bench = await startHelmBench();
    const charts = Object.entries(webChart).map(([name, text]) => [`charts/web/${name}`, text]);
    const folder = await writeChart({ "watches.yaml": watches, ...Object.fromEntries(charts) });
    // The folder where a program finds the packages that it imports.
    await mkdir(join(folder, "node_modules/@operator-path"), { recursive: true });
    for (const name of ["client", "controller-runtime", "helm-operator"]) {
      await symlink(join(root, "..", name), join(folder, "node_modules/@operator-path", name));
    }
    await writeFile(join(folder, "main.ts"), example);
    const env = { KUBECONFIG: bench.kubeconfig, HELM: bench.helmPath, PATH: process.env.PATH };
    const child = spawn(process.execPath, ["--conditions=@operator-path/source", "main.ts"], {
      cwd: folder,
      env,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = new Promise((resolve) => child.on("close", (...how) => resolve(how)));
    let log = "";
    child.stderr.on("data", (text) => (log += text));

    await bench.create("shop", { replicas: 2 });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop")), log).toContain("Deployed=True"),
    );
    expect((await bench.deployment("shop")).spec?.replicas).toBe(2);
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  },
  longTimeout,
);
