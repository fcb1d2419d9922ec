import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kubeConfigOf, kubeconfigYaml, type PodSecurityLevel } from "@operator-path/apiserver";
import type { KubeConfig } from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import type { ControlPlane } from "@operator-path/tools";
import { portTaken } from "../embedded/port-taken.ts";
import { writePrivateFile } from "../private-file.ts";
import { type LivingProgram, startProgram } from "./lifeline.ts";

/** A user who authenticates with a token. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly groups?: readonly string[];
}

export interface RealControlPlaneOptions {
  /** The result of findControlPlane(). If it contains kube-controller-manager, that is started too. */
  readonly programs: ControlPlane;
  /**
   * Folder for keys, logs and etcd's data, created with mode 0700 if missing. stop() removes it. Default: a
   * temporary one.
   */
  readonly directory?: string;
  /** Port of kube-apiserver on 127.0.0.1. Default 0: a free port. */
  readonly port?: number;
  /** Users in addition to the administrator. */
  readonly users?: readonly TokenUser[];
  /** PEM certificates and key with which kube-apiserver reaches the kubelets. Default: it cannot. */
  readonly kubelets?: {
    readonly caCertificate: string;
    readonly clientCertificate: string;
    readonly clientKey: string;
  };
  /** EgressSelectorConfiguration: how kube-apiserver reaches Services, Pods and nodes. Default: directly. */
  readonly egress?: string;
  /**
   * The Pod Security level that a namespace without a label enforces, except kube-system. Default:
   * `privileged`.
   */
  readonly podSecurity?: PodSecurityLevel;
  /** Additional flags of kube-apiserver, `--name=value`. */
  readonly flags?: readonly string[];
}

/** A real control plane, as envtest starts it. */
export interface RealControlPlane {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** The authority that signed the serving certificate, in PEM. */
  readonly caCertificate: string;
  /** The administrator's token (system:masters). */
  readonly token: string;
  readonly directory: string;
  /** Process ids by program: `etcd`, `kube-apiserver`, `kube-controller-manager`. */
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves if one of the programs ends before stop(), with a message and the last lines of its log. */
  readonly broken: Promise<string>;
  kubeConfig(): KubeConfig;
  /** The text of a kubeconfig. It contains the token: write it with mode 0600. */
  kubeconfigYaml(): string;
  /** Stops the programs and removes the folder. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts etcd, kube-apiserver and, if given, kube-controller-manager. Resolves when kube-apiserver is ready
 * (2 to 4 s).
 *
 * Listens on one TLS port on 127.0.0.1. etcd has a socket in the folder, which only this user can enter. When
 * this process ends, even by kill -9, the programs end and the folder is removed. Errors contain the log's
 * last lines.
 *
 * @throws UserError if the port is taken
 */
export async function startRealControlPlane(options: RealControlPlaneOptions): Promise<RealControlPlane> {
  const anyPort = (options.port ?? 0) === 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(await freePort(options.port ?? 0), options);
    } catch (error) {
      // kube-apiserver binds the port seconds after it was free, and a connection may have it by then.
      if (!anyPort || attempt === 3 || !String(error).includes("address already in use")) throw error;
    }
  }
}

async function startAt(port: number, options: RealControlPlaneOptions): Promise<RealControlPlane> {
  await using undo = new AsyncDisposableStack();
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-envtest-"))));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  undo.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

  const token = randomBytes(32).toString("base64url");
  const certificate = createServingCertificate(
    ["localhost", "127.0.0.1", "kubernetes.default.svc", "10.96.0.1"],
    Date.now(),
  );
  const access = { url: `https://127.0.0.1:${port}`, caCertificate: certificate.caCertificate, token };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const write = (name: string, text: string): Promise<void> => writePrivateFile(join(directory, name), text);
  await Promise.all([
    write("ca.crt", certificate.caCertificate),
    write("apiserver.crt", certificate.certificate),
    write("apiserver.key", certificate.privateKey),
    write("service-accounts.key", privateKey.export({ type: "sec1", format: "pem" }).toString()),
    write(
      "tokens.csv",
      tokenFile([{ token, name: "kubernetes-admin", groups: ["system:masters"] }, ...(options.users ?? [])]),
    ),
    write("controller-manager.kubeconfig", kubeconfigYaml(access)),
    ...(options.kubelets === undefined
      ? []
      : [
          write("kubelet-ca.crt", options.kubelets.caCertificate),
          write("kubelet-client.crt", options.kubelets.clientCertificate),
          write("kubelet-client.key", options.kubelets.clientKey),
        ]),
  ]);

  if (options.egress !== undefined) await write("egress.json", options.egress);
  if (options.podSecurity !== undefined)
    await write("admission.json", admissionConfiguration(options.podSecurity));

  const programs: LivingProgram[] = [];
  const run = async (path: string, args: readonly string[], orphanedFolder?: string): Promise<void> => {
    const logFile = join(directory, `${programs.length}.log`);
    const program = await startProgram({ path, args, folder: directory, logFile, orphanedFolder });
    undo.defer(() => program.stop());
    programs.push(program);
  };
  await run(options.programs.etcd.path, etcdFlags, directory);
  await run(options.programs.apiserver.path, [
    ...apiserverFlags(port, options.kubelets !== undefined),
    ...(options.egress === undefined ? [] : ["--egress-selector-config-file=egress.json"]),
    ...(options.podSecurity === undefined ? [] : ["--admission-control-config-file=admission.json"]),
    ...(options.flags ?? []),
  ]);
  await untilHealthy(access, programs);
  if (options.programs.controllerManager)
    await run(options.programs.controllerManager.path, controllerManagerFlags);

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    ...access,
    port,
    directory,
    pids: Object.fromEntries(programs.map(({ name, pid }) => [name, pid])),
    broken: new Promise((tell) => {
      for (const { ended } of programs) void ended.then((words) => stopped ?? tell(words));
    }),
    kubeConfig: () => kubeConfigOf(access),
    kubeconfigYaml: () => kubeconfigYaml(access),
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/**
 * Returns an AdmissionConfiguration whose PodSecurity plugin enforces a level in namespaces without a label.
 */
function admissionConfiguration(enforce: PodSecurityLevel): string {
  const podSecurity = {
    apiVersion: "pod-security.admission.config.k8s.io/v1",
    kind: "PodSecurityConfiguration",
    defaults: { enforce },
    exemptions: { namespaces: ["kube-system"] },
  };
  return JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [{ name: "PodSecurity", configuration: podSecurity }],
  });
}

/** Returns kube-apiserver's static token file: CSV of token, user, uid and groups. */
function tokenFile(users: readonly TokenUser[]): string {
  const lines = users.map(({ token, name, groups = [] }) => `${token},${name},,"${groups.join(",")}"`);
  return `${lines.join("\n")}\n`;
}

/**
 * Returns the port itself if it is free. kube-apiserver rejects 0, so a free port is determined just before.
 */
async function freePort(port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    throw await portTaken(error, port);
  }
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return address.port;
}

// Paths are relative to the control plane's folder, where the programs run, because a socket's path is
// limited to 108 bytes.

const etcdSocket = "unix://etcd:1";
const peerSocket = "unix://etcd:2";

/** Durability is not needed, because the data is deleted with the cluster. */
const etcdFlags: readonly string[] = [
  "--name=envtest",
  "--data-dir=etcd-data",
  "--unsafe-no-fsync",
  "--log-level=error",
  `--listen-client-urls=${etcdSocket}`,
  `--advertise-client-urls=${etcdSocket}`,
  `--listen-peer-urls=${peerSocket}`,
  `--initial-advertise-peer-urls=${peerSocket}`,
  `--initial-cluster=envtest=${peerSocket}`,
];

/** Flags as kubeadm sets them, as far as clients can tell. */
function apiserverFlags(port: number, kubelets: boolean): string[] {
  return [
    `--etcd-servers=${etcdSocket}`,
    `--secure-port=${port}`,
    "--bind-address=127.0.0.1",
    // The address in the Service kubernetes. A loopback address is rejected there. This one (TEST-NET-1) is
    // never contacted.
    "--advertise-address=192.0.2.1",
    "--tls-cert-file=apiserver.crt",
    "--tls-private-key-file=apiserver.key",
    "--cert-dir=certificates",
    "--token-auth-file=tokens.csv",
    "--authorization-mode=Node,RBAC",
    "--service-account-key-file=service-accounts.key",
    "--service-account-signing-key-file=service-accounts.key",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    "--service-cluster-ip-range=10.96.0.0/16",
    "--allow-privileged=true",
    "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
    "--profiling=false",
    ...(kubelets
      ? [
          "--kubelet-certificate-authority=kubelet-ca.crt",
          "--kubelet-client-certificate=kubelet-client.crt",
          "--kubelet-client-key=kubelet-client.key",
          "--kubelet-preferred-address-types=InternalDNS",
        ]
      : []),
  ];
}

const controllerManagerFlags: readonly string[] = [
  "--kubeconfig=controller-manager.kubeconfig",
  "--service-account-private-key-file=service-accounts.key",
  "--root-ca-file=ca.crt",
  "--use-service-account-credentials=false",
  "--leader-elect=false",
  "--secure-port=0",
  "--cert-dir=certificates",
  // Simulated nodes already have addresses for their Pods.
  "--allocate-node-cidrs=false",
  "--profiling=false",
];

/** How long kube-apiserver may take to start, in milliseconds. It usually takes 3 s, and longer from a cold disk. */
const patienceMs = 180_000;

/**
 * Resolves when kube-apiserver is ready. Throws after three minutes, or if one of the programs ends, with the last
 * lines of its log.
 */
async function untilHealthy(
  access: { readonly url: string; readonly caCertificate: string; readonly token: string },
  programs: readonly LivingProgram[],
): Promise<void> {
  let broken: string | undefined;
  for (const { ended } of programs) void ended.then((words) => (broken ??= words));
  const deadline = performance.now() + patienceMs;
  while ((await statusOf(access)) !== 200) {
    if (broken !== undefined) throw new Error(`the real control plane did not start: ${broken}`);
    if (performance.now() > deadline) {
      throw new Error(
        `kube-apiserver is not ready after ${patienceMs / 1000} s; its log is removed with its folder`,
      );
    }
    await sleep(50);
  }
}

function statusOf(access: {
  url: string;
  caCertificate: string;
  token: string;
}): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${access.token}` };
    const options = { ca: access.caCertificate, headers, agent: false, timeout: 5_000 };
    const asked = request(`${access.url}/readyz`, options, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer"))).on("error", () => resolve(undefined));
    asked.end();
  });
}
