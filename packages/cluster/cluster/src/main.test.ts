import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa, type Result } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gone, listens, until } from "./testing/process.ts";

let home: string;
let clusters: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "cluster-cli-"));
  clusters = join(home, "state", "operator-path", "clusters");
});
afterEach(async () => {
  for (const name of await readdir(clusters).catch(() => [])) await cli("down", "--name", name);
  await rm(home, { recursive: true, force: true });
});

/** The command as a user's shell runs it, without a HOME worth the name. */
function cli(...args: string[]): Promise<Result> {
  const main = new URL("main.ts", import.meta.url).pathname;
  return execa(process.execPath, ["--conditions=@operator-path/source", main, ...args], {
    env: { HOME: "", XDG_STATE_HOME: join(home, "state"), NO_COLOR: "1", MY_PASSWORD: "tiger" },
    reject: false,
  });
}
async function record(name: string): Promise<{ pid: number; url: string; kubeconfigPath: string }> {
  return JSON.parse(await readFile(join(clusters, name, "cluster.json"), "utf8"));
}

const kindCluster = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: shop
nodes: [{ role: control-plane }, { role: worker }]
`;

describe("pnpm cluster", () => {
  it("starts once, draws, and stops without a trace", async () => {
    const config = join(home, "kind-cluster.yaml");
    await writeFile(config, kindCluster);
    const up = await cli("up", "--config", config);
    expect(up).toMatchObject({ exitCode: 0, stderr: "" });
    const { pid, url, kubeconfigPath } = await record("shop");
    expect(up.stdout).toContain(`cluster shop is up at ${url}`);
    expect(up.stdout).toContain("2 simulated nodes");
    expect(up.stdout).toContain(`\nexport KUBECONFIG=${kubeconfigPath}\n`);
    expect(up.stdout).toMatch(/\nexport CONTAINER_TOOL=\/\S+\/bin\/container-tool\n/);
    expect(await listens(url)).toBe(true);
    // A process that stays for days must not hold what happened to be in its starter's environment.
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    expect(environment).not.toContain("tiger");

    const again = await cli("up", "--name", "shop");
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain(`cluster shop is already up at ${url}`);
    expect((await record("shop")).pid).toBe(pid);

    const status = await cli("status", "--name", "shop");
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toMatch(/╭─ shop-control-plane ─+ Ready ─╮/);
    expect(status.stdout).toMatch(/╭─ shop-worker ─+ Ready ─╮/);

    expect(await cli("down", "--name", "shop")).toMatchObject({ exitCode: 0 });
    expect(await gone(pid)).toBe(true);
    expect(await listens(url)).toBe(false);
    expect(await readdir(clusters)).toEqual([]);
    expect((await cli("down", "--name", "shop")).stdout).toBe("no cluster shop was running");
  });

  it("names the clusters that run to who asks for another, and does not give one a port that it has not", async () => {
    await cli("up", "--name", "beginner");
    const { url } = await record("beginner");
    expect((await cli("status")).stderr).toBe(
      "error: no cluster dev is running; running: beginner (say --name beginner)",
    );
    expect((await cli("down")).stdout).toBe(
      "no cluster dev was running; running: beginner (say --name beginner)",
    );
    const { port } = new URL(url);
    const other = String(Number(port) + 1);
    expect(await cli("up", "--name", "beginner", "--port", other)).toMatchObject({
      ...{ exitCode: 1, stdout: "" },
      stderr: `error: cluster beginner runs already, at ${url}: leave out --port, or stop it first with \`pnpm cluster down --name beginner\``,
    });
    expect((await cli("up", "--name", "beginner", "--port", port)).exitCode).toBe(0);
    const config = join(home, "kind-cluster.yaml");
    await writeFile(config, kindCluster);
    expect((await cli("up", "--name", "beginner", "--config", config)).stderr).toBe(
      "error: cluster beginner runs already, with 1 node, not the 2 of --config: leave it out, or stop it first with `pnpm cluster down --name beginner`",
    );
  });

  it("makes one cluster when two ask at the same time", async () => {
    const [one, two] = await Promise.all([cli("up"), cli("up")]);
    expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
    const { url } = await record("dev");
    const answers = [one.stdout, two.stdout].map((text) => String(text).split("\n")[0]).sort();
    expect(answers).toEqual([`cluster dev is already up at ${url}`, `cluster dev is up at ${url}`]);
  });

  it("starts anew after the cluster was killed", async () => {
    await cli("up");
    const { pid } = await record("dev");
    process.kill(pid, "SIGKILL");
    await until(() => gone(pid));
    expect(await cli("status")).toMatchObject({ exitCode: 1 });
    expect((await cli("up")).stdout).toContain("cluster dev is up at");
    expect((await record("dev")).pid).not.toBe(pid);
  });

  it("kills nobody whose pid happens to be that of a cluster long gone", async () => {
    const stale = {
      name: "dev",
      pid: process.pid,
      identity: "another boot",
      since: "2026-01-01T00:00:00Z",
      phase: "running",
    };
    await mkdir(join(clusters, "dev"), { recursive: true });
    await writeFile(join(clusters, "dev", "cluster.json"), JSON.stringify(stale));
    expect((await cli("down")).stdout).toBe("no cluster dev was running");
    expect(existsSync(join(clusters, "dev"))).toBe(false);
  });

  it.each([
    [["up", "--port", "http"], /port.*0 to 65535/],
    [["up", "--name", "../x"], /name.*lower-case/],
    [["up", "--config", "missing.yaml"], /missing\.yaml cannot be read/],
    [
      ["status", "--name", "nobody"],
      /^error: no cluster nobody is running; `pnpm cluster up --name nobody` starts one$/,
    ],
    [["status"], /^error: no cluster dev is running; `pnpm cluster up` starts one$/],
    [["restart"], /unknown command 'restart'/],
  ])("refuses %j in one line", async (args, message) => {
    const { exitCode, stdout, stderr } = await cli(...args);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(String(stderr).split("\n")).toHaveLength(1);
    expect(existsSync(clusters)).toBe(false);
  });

  it("leaves nothing when the port is taken", async () => {
    await cli("up");
    const { url, pid } = await record("dev");
    const { exitCode, stderr } = await cli("up", "--name", "second", "--port", new URL(url).port);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`is taken by operator-path cluster dev (pid ${pid})`);
    expect(await readdir(clusters)).toEqual(["dev"]);
  });
});
