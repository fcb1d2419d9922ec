import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createShopProject } from "./checklist/testing/shop-project.ts";
import { type CommandHome, openCommandHome } from "./testing/command.ts";
import { hasExited, listens } from "./testing/process.ts";

let home: string;
let clusters: string;
let cli: CommandHome["cli"];
let cliToHead: CommandHome["cliToHead"];
let record: CommandHome["record"];
let remove: CommandHome["remove"];
beforeEach(async () => {
  ({ folder: home, clusters, cli, cliToHead, record, remove } = await openCommandHome());
});
afterEach(() => remove());

const kindCluster = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: shop
nodes: [{ role: control-plane }, { role: worker }]
`;

describe("pnpm cluster", () => {
  it("starts once, names itself, refuses to change, draws, and stops without a trace", async () => {
    const config = join(home, "kind-cluster.yaml");
    await writeFile(config, kindCluster);
    const up = await cli("up", "--config", config);
    expect(up).toMatchObject({ exitCode: 0, stderr: "" });
    const { pid, url, kubeconfigPath } = await record("shop");
    expect(up.stdout).toContain(`cluster shop is up at ${url}`);
    expect(up.stdout).toContain("2 simulated nodes");
    expect(up.stdout).toContain(`\n# Run these lines in every shell that uses the cluster`);
    expect(up.stdout).toContain(`:\nexport KUBECONFIG=${kubeconfigPath}\n`);
    expect(up.stdout).toMatch(/\nexport CONTAINER_TOOL=\/\S+\/bin\/container-tool\n/);
    expect(await listens(url)).toBe(true);
    // A long-running process must not keep the environment of its parent.
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    expect(environment).not.toContain("tiger");

    const { port } = new URL(url);
    const again = await cli("up", "--name", "shop", "--port", port);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain(`cluster shop is already up at ${url}`);
    expect((await record("shop")).pid).toBe(pid);

    expect((await cli("status")).stderr).toBe(
      "error: no cluster dev is running; running: shop (use --name shop)",
    );
    expect((await cli("down")).stdout).toBe("no cluster dev was running; running: shop (use --name shop)");
    expect(await cli("up", "--name", "shop", "--port", String(Number(port) + 1))).toMatchObject({
      ...{ exitCode: 1, stdout: "" },
      stderr: `error: cluster shop is already running at ${url}: leave out --port, or stop it first with \`pnpm cluster down --name shop\``,
    });
    await writeFile(config, kindCluster.replace(", { role: worker }", ""));
    expect((await cli("up", "--name", "shop", "--config", config)).stderr).toBe(
      "error: cluster shop is already running with 2 nodes, not the 1 of --config: leave it out, or stop it first with `pnpm cluster down --name shop`",
    );

    const status = await cli("status", "--name", "shop");
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toMatch(/╭─ shop-control-plane ─+ Ready ─╮/);
    expect(status.stdout).toMatch(/╭─ shop-worker ─+ Ready ─╮/);

    vi.stubEnv("KUBECONFIG", kubeconfigPath);
    const down = await cli("down", "--name", "shop");
    vi.unstubAllEnvs();
    expect(down).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nunset KUBECONFIG$/) });
    expect(await hasExited(pid)).toBe(true);
    expect(await listens(url)).toBe(false);
    expect(await readdir(clusters)).toEqual([]);
    expect((await cli("down", "--name", "shop")).stdout).toBe("no cluster shop was running");
  });

  it("kills no other process that has a dead cluster's pid", async () => {
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

  it("prints help and version, and help without a command", async () => {
    const help = await cli("--help");
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: pnpm cluster \[options\] \[command\]\n.*\n {2}NO_COLOR /s);
    expect(await cli("--version")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(await cli()).toMatchObject({ exitCode: 1, stdout: "", stderr: help.stdout });
  });

  it.each([
    [["up", "--port", "http"], /port.*0 to 65535\.; usage: pnpm cluster up \[options\]$/],
    [["up", "--name", "../x"], /name.*lower-case/],
    [["up", "--config", "missing.yaml"], /missing\.yaml cannot be read/],
    [
      ["status", "--name", "missing"],
      /^error: no cluster missing is running; `pnpm cluster up --name missing` starts one$/,
    ],
    [["status"], /^error: no cluster dev is running; `pnpm cluster up` starts one$/],
    [
      ["restart"],
      /unknown command 'restart'; usage: pnpm cluster up\|down\|status\|ui\|checklist \[options\]$/,
    ],
  ])("rejects %j in one line", async (args, message) => {
    const { exitCode, stdout, stderr } = await cli(...args);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(String(stderr).split("\n")).toHaveLength(1);
    expect(existsSync(clusters)).toBe(false);
  });

  it("ends its checklist quietly when its output is closed", async () => {
    await using project = await createShopProject();
    expect(await cliToHead(project.folder, "checklist")).toMatchObject({
      stdout: "✓  1 the CRD accepts the sample and rejects bad ones",
      stderr: "",
    });
  });
});
