import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

/**
 * Runs the server in its own network namespace. `nsenter` removes the address there, so the server no longer
 * answers.
 */
const script = `
set -e
ip link add veth0 type veth peer name veth1
ip addr add 10.0.0.1/24 dev veth0
ip link set veth0 up
unshare --net sh -c 'until ip addr add 10.0.0.2/24 dev veth1 2>/dev/null; do sleep 0.1; done; ip link set veth1 up; exec node server.mjs' &
server=$!
trap 'kill $server' EXIT
until [ "$(readlink /proc/$server/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
mac=$(ip -o link show veth1 | sed 's/.*ether \\([^ ]*\\).*/\\1/')
ip link set veth1 netns $server
ip neigh replace 10.0.0.2 lladdr "$mac" dev veth0 nud permanent
SERVER=$server node --conditions=@operator-path/source client.ts
`;
const server = `import { createServer } from "node:http";
createServer((_, response) => void response.write("one\\n")).listen(8080, "10.0.0.2");
`;
const client = `import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { createClient, KubeConfig, logs } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "c", server: "http://10.0.0.2:8080" }, { name: "u" });
const client = createClient(kubeConfig);
const follow = async () => {
  for await (const line of logs(client, { namespace: "default", name: "p" }, { follow: true })) {
    console.log(line);
    execFileSync("nsenter", ["--net", "--target", process.env.SERVER, "ip", "addr", "flush", "dev", "veth1"]);
  }
};
for (;;) {
  const error = await follow().catch((error) => error);
  if (error?.code !== "ECONNREFUSED" && error?.code !== "EHOSTUNREACH") {
    console.log(error?.name, error?.code, error?.message);
    break;
  }
  await setTimeout(100);
}
await client.close();
`;

const namespaces = spawnSync("unshare", ["--map-root-user", "--net", "ip", "link"]);

test.skipIf(namespaces.status !== 0)(
  "throws ETIMEDOUT from a followed log when its server has vanished",
  { timeout: 600_000 },
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), "logs-vanished-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, "server.mjs"), server);
    writeFileSync(join(cwd, "client.ts"), client);
    writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
    const run = promisify(execFile)("unshare", ["--map-root-user", "--net", "sh", "-c", script], { cwd });
    const { stdout } = await run;
    expect(stdout).toBe(
      "one\nRequestError ETIMEDOUT GET http://10.0.0.2:8080/api/v1/namespaces/default/pods/p/log: read ETIMEDOUT\n",
    );
  },
);
