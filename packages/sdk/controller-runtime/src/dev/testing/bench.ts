import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startApiServer } from "@operator-path/apiserver";
import { createClient, mutatingWebhookConfigurations } from "@operator-path/client";
import { installMemcached } from "../../controller/testing/memcached.ts";
import { type DevSession, startDevSession } from "./dev-session.ts";
import { link } from "./install-sdk.ts";
import { colourModule, createOperatorProject } from "./operator-project.ts";

// Measures the time from a save to an operator that leads, as operator-dev reports it: `node … bench.ts
// [saves]`.
const saves = Number(process.argv[2] ?? 10);
const project = createOperatorProject();
const server = await startApiServer();
const connection = createClient(server.kubeConfig());
try {
  await installMemcached(connection);
  await connection
    .resource(mutatingWebhookConfigurations)
    .create({ metadata: { name: "dev" }, webhooks: [] });
  writeFileSync(join(project.folder, "kubeconfig"), server.kubeconfigYaml(), { mode: 0o600 });
  link(
    "tsx",
    join(import.meta.dirname, "../../../../../../node_modules"),
    join(project.folder, "node_modules"),
  );
  for (const [on, devDependencies] of [
    ["Node alone", {}],
    ["tsx", { tsx: "*" }],
  ] as const) {
    project.save("package.json", JSON.stringify({ type: "module", devDependencies }));
    for (const options of [[], ["--no-ahead"]]) {
      const times = await measure(options);
      const [least, median, most] = [0, 0.5, 1].map((q) => times[Math.round(q * (times.length - 1))]);
      console.log(
        `on ${on} ${options.join(" ")}: restarted in ${median} ms (median of ${times.length}; ${least} to ${most} ms)`,
      );
    }
  }
} finally {
  await connection.close();
  await server.stop();
  project.remove();
}

async function measure(options: readonly string[]): Promise<number[]> {
  const session = startDevSession(project.folder, [...options, "src/main.ts"], {
    KUBECONFIG: join(project.folder, "kubeconfig"),
  });
  await session.says("started in");
  for (let save = 1; save <= saves; save++) {
    // Leaves time between saves, as a person would.
    await sleep(3_000);
    project.save("src/colour.ts", colourModule(`shade-${save}`));
    await session.says("restarted in", save);
  }
  await end(session);
  return [...session.output().matchAll(/restarted in (\d+) ms/g)]
    .map(([, milliseconds]) => Number(milliseconds))
    .sort((a, b) => a - b);
}

async function end({ child, ended }: DevSession): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}
