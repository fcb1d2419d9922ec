import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The folder of etcd and kube-apiserver, if KUBEBUILDER_ASSETS (envtest's variable) names one that holds both. */
export function controlPlaneAssets(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env.KUBEBUILDER_ASSETS;
  if (folder === undefined) return undefined;
  return ["etcd", "kube-apiserver"].every((name) => existsSync(join(folder, name))) ? folder : undefined;
}

/**
 * Starts etcd and kube-apiserver as envtest does, and resolves to the milliseconds until a list of nodes was answered.
 * Both are stopped and their files removed afterwards. Throws when one of them ends early, or after 60 s.
 */
export async function timeRealControlPlane(assets: string): Promise<number> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "operator-path-bench-"));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const [client, peer, api] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(24).toString("hex");
  const key = join(folder, "sa.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const tokens = join(folder, "tokens.csv");
  await writeFile(tokens, `${token},admin,admin,system:masters\n`, { mode: 0o600 });

  const begin = performance.now();
  const etcdUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  run(undo, join(assets, "etcd"), [
    `--data-dir=${join(folder, "etcd")}`,
    "--unsafe-no-fsync",
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
  ]);
  const server = run(undo, join(assets, "kube-apiserver"), [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${api}`,
    "--bind-address=127.0.0.1",
    `--cert-dir=${join(folder, "certs")}`,
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--token-auth-file=${tokens}`,
    "--authorization-mode=RBAC",
    "--service-cluster-ip-range=10.96.0.0/16",
  ]);
  while ((await statusOf(api, token)) !== 200) {
    if (server.exitCode !== null) throw new Error(`kube-apiserver ended with ${server.exitCode}`);
    if (performance.now() - begin > 60_000) throw new Error("kube-apiserver answers nothing within 60 s");
    await sleep(5);
  }
  return performance.now() - begin;
}

function run(undo: AsyncDisposableStack, command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: "ignore" });
  const exited = once(child, "exit").catch(() => undefined);
  undo.defer(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return child;
}

/** Its certificate is of its own making and not yet known to anybody; what is measured is a loopback port. */
function statusOf(port: number, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const options = {
      host: "127.0.0.1",
      port,
      path: "/api/v1/nodes",
      headers,
      agent: false,
      rejectUnauthorized: false,
    };
    request(options, (response) => response.resume().on("end", () => resolve(response.statusCode)))
      .on("error", () => resolve(undefined))
      .end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}
