import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createServingCertificate,
  kubeConfigOf,
  kubeconfigYaml,
  type PodSecurityLevel,
} from "@operator-path/apiserver";
import type { KubeConfig } from "@operator-path/client";
import type { ControlPlane } from "@operator-path/tools";
import { portTaken } from "../embedded/port-taken.ts";
import { writePrivateFile } from "../private-file.ts";
import { type LivingProgram, startProgram } from "./lifeline.ts";

/** Somebody who can log in by a token. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly groups?: readonly string[];
}

export interface RealControlPlaneOptions {
  /** What findControlPlane() found. kube-controller-manager is started if it is among them. */
  readonly programs: ControlPlane;
  /** Folder for keys, logs and etcd's data, made if missing, mode 0700; it is removed by stop(). Default: a temporary one. */
  readonly directory?: string;
  /** Port of kube-apiserver on 127.0.0.1. Default 0: a free one. */
  readonly port?: number;
  /** Users beside the administrator. */
  readonly users?: readonly TokenUser[];
  /** PEM: how kube-apiserver reaches the kubelets. Default: it cannot. */
  readonly kubelets?: {
    readonly caCertificate: string;
    readonly clientCertificate: string;
    readonly clientKey: string;
  };
  /** EgressSelectorConfiguration: how kube-apiserver reaches Services, Pods and nodes. Default: directly. */
  readonly egress?: string;
  /** The Pod Security level that a namespace without a label enforces, kube-system excepted. Default: `privileged`. */
  readonly podSecurity?: PodSecurityLevel;
  /** Further flags of kube-apiserver, `--name=value`. */
  readonly flags?: readonly string[];
}

/** A real control plane, as envtest starts one. */
export interface RealControlPlane {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** PEM of the authority that signed the serving certificate. */
  readonly caCertificate: string;
  /** The administrator's (system:masters). */
  readonly token: string;
  readonly directory: string;
  /** Process ids by program: `etcd`, `kube-apiserver`, `kube-controller-manager`. */
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves when one of the programs ends although nobody stopped it, with words and its log's last lines. */
  readonly broken: Promise<string>;
  kubeConfig(): KubeConfig;
  /** A kubeconfig file's text. It holds the token: write it with mode 0600. */
  kubeconfigYaml(): string;
  /** Ends the programs and removes the folder. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts etcd, kube-apiserver and, where given, kube-controller-manager, and resolves when kube-apiserver says that it is
 * ready (2 to 4 s).
 *
 * Promised: one TLS port on 127.0.0.1 (etcd is reached through a socket in the folder, which only this user can enter); the
 * programs end when this process ends, also by kill -9, and the folder goes then; what fails says why, with the log's last
 * lines. Throws UserError when the port is taken.
 */
export async function startRealControlPlane(o: RealControlPlaneOptions): Promise<RealControlPlane> {
  await using undo = new AsyncDisposableStack();
  const port = await freePort(o.port ?? 0);
  const directory = resolve(o.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-envtest-"))));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  undo.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

  const token = randomBytes(32).toString("base64url");
  const certificate = createServingCertificate(
    ["localhost", "127.0.0.1", "kubernetes.default.svc", "10.96.0.1"],
    new Date(),
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
      tokenFile([{ token, name: "kubernetes-admin", groups: ["system:masters"] }, ...(o.users ?? [])]),
    ),
    write("controller-manager.kubeconfig", kubeconfigYaml(access)),
    ...(o.kubelets === undefined
      ? []
      : [
          write("kubelet-ca.crt", o.kubelets.caCertificate),
          write("kubelet-client.crt", o.kubelets.clientCertificate),
          write("kubelet-client.key", o.kubelets.clientKey),
        ]),
  ]);

  if (o.egress !== undefined) await write("egress.json", o.egress);
  if (o.podSecurity !== undefined) await write("admission.json", admissionConfiguration(o.podSecurity));

  const programs: LivingProgram[] = [];
  const run = async (path: string, args: readonly string[], orphanedFolder?: string): Promise<void> => {
    const logFile = join(directory, `${programs.length}.log`);
    const program = await startProgram({ path, args, folder: directory, logFile, orphanedFolder });
    undo.defer(() => program.stop());
    programs.push(program);
  };
  await run(o.programs.etcd.path, etcdFlags, directory);
  await run(o.programs.apiserver.path, [
    ...apiserverFlags(port, o.kubelets !== undefined),
    ...(o.egress === undefined ? [] : ["--egress-selector-config-file=egress.json"]),
    ...(o.podSecurity === undefined ? [] : ["--admission-control-config-file=admission.json"]),
    ...(o.flags ?? []),
  ]);
  await untilHealthy(access, programs);
  if (o.programs.controllerManager) await run(o.programs.controllerManager.path, controllerManagerFlags);

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

/** AdmissionConfiguration whose PodSecurity plugin enforces a level in namespaces without a label. */
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

/** The static token file of kube-apiserver: CSV of token, user, uid and groups. */
function tokenFile(users: readonly TokenUser[]): string {
  const lines = users.map(({ token, name, groups = [] }) => `${token},${name},,"${groups.join(",")}"`);
  return `${lines.join("\n")}\n`;
}

/** The port itself if it is free. kube-apiserver takes no 0, so a free one is looked for a moment before. */
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
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

// Paths are relative to the control plane's folder, in which the programs run: a socket's path may have 108 bytes only.

const etcdSocket = "unix://etcd:1";
const peerSocket = "unix://etcd:2";

/** Durability is not wanted: the data goes with the cluster. */
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

/** kube-apiserver as kubeadm sets it up, as far as it matters to clients. */
function apiserverFlags(port: number, kubelets: boolean): string[] {
  return [
    `--etcd-servers=${etcdSocket}`,
    `--secure-port=${port}`,
    "--bind-address=127.0.0.1",
    // Of the Service kubernetes; a loopback address is refused there. TEST-NET-1: nobody is asked.
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
  // Simulated nodes have their Pods' addresses already.
  "--allocate-node-cidrs=false",
  "--profiling=false",
];

/** How long kube-apiserver may take, in milliseconds; 3 s are usual. */
const patienceMs = 60_000;

/**
 * Resolves when kube-apiserver says that it is ready. Throws, with the last lines of its log, when one of the programs ends
 * before, and after a minute.
 */
async function untilHealthy(
  access: { readonly url: string; readonly caCertificate: string; readonly token: string },
  programs: readonly LivingProgram[],
): Promise<void> {
  let broken: string | undefined;
  for (const { ended } of programs) void ended.then((words) => (broken ??= words));
  const deadline = performance.now() + patienceMs;
  while ((await statusOf(access)) !== 200) {
    if (broken !== undefined) throw new Error(`the real control plane does not start: ${broken}`);
    if (performance.now() > deadline) {
      throw new Error(
        `kube-apiserver is not ready after ${patienceMs / 1000} s: see its log, which goes with it`,
      );
    }
    await sleep(15);
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
    request(`${access.url}/readyz`, options, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    )
      .on("error", () => resolve(undefined))
      .end();
  });
}
