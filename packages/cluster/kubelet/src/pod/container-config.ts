import { approximate, type Clock, type Pod, parseQuantity } from "@operator-path/client";
import type { NetworkNamespace } from "../network/pod-network.ts";
import { refuseHostAccess, requireLinks } from "../process/host-access.ts";
import type { Container, ContainerConfig, ImageFile, SimulatedImage } from "../runtime/contracts.ts";
import { ConfigError } from "../runtime/errors.ts";
import type { ProcessTable } from "../runtime/process-table.ts";
import { effectiveCapabilities } from "../runtime/security.ts";
import type { Mount } from "../volumes/volume.ts";
import { expand } from "./environment.ts";
import { type ContainerSpec, type EphemeralSpec, formatPod } from "./types.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Returns the configuration that the runtime starts, from a Pod's specification and an image.
 * @throws ConfigError
 */
export function containerConfig(options: {
  id: string;
  pod: Pod;
  spec: ContainerSpec | EphemeralSpec;
  image: SimulatedImage;
  tag: string;
  env: Record<string, string>;
  mounts: Mount[];
  processes: ProcessTable;
  siblings: (name: string) => Container | undefined;
  network: NetworkNamespace;
  clock: Clock;
  random: () => number;
}): ContainerConfig {
  const { pod, spec, image } = options;
  if (image.local) {
    refuseHostAccess(pod, spec);
    requireLinks(image.local);
  }
  const hostname = podHostname(pod);
  const memory = spec.resources?.limits?.memory;
  const { uid, gid } = user(pod, spec, image, options.tag);
  const security = spec.securityContext;
  const env = {
    PATH,
    HOSTNAME: hostname,
    ...image.config.env,
    ...options.env,
    ...(spec.tty ? { TERM: "xterm" } : {}),
  };
  const words = (list: readonly string[] | undefined) => list?.map((word) => expand(word, env));
  // A command replaces the image's entrypoint and its arguments. Arguments without a command replace the
  // image's arguments only.
  const argv = spec.command?.length
    ? [...(words(spec.command) ?? []), ...(words(spec.args) ?? [])]
    : [...(image.config.entrypoint ?? []), ...(words(spec.args) ?? image.config.cmd ?? [])];
  return {
    id: options.id,
    name: spec.name,
    image,
    tag: options.tag,
    argv,
    env: {
      ...env,
      HOME: homeOf(uid, image, options.tag),
      ...("HOME" in options.env ? { HOME: options.env.HOME as string } : {}),
    },
    workingDir: spec.workingDir ?? image.config.workingDir ?? "/",
    credentials: {
      uid,
      gid,
      capabilities: effectiveCapabilities(uid, {
        privileged: security?.privileged,
        ...security?.capabilities,
      }),
    },
    hostname,
    stdin: spec.stdin ?? false,
    stdinOnce: spec.stdinOnce ?? false,
    tty: spec.tty ?? false,
    readOnlyRootFilesystem: security?.readOnlyRootFilesystem ?? false,
    ...(memory !== undefined && { memoryLimit: approximate(parseQuantity(memory)) }),
    processes: options.processes,
    siblings: options.siblings,
    network: options.network,
    mounts: options.mounts,
    runtimeFiles: runtimeFiles(pod, hostname, options.network.ip),
    // Imported on first use, because many clusters never run a shell.
    runShell: async (context) => (await import("../shell/programs.ts")).runShell(context),
    runTool: async (context) => (await import("../shell/programs.ts")).runTool(context),
    clock: options.clock,
    random: options.random,
  };
}

export function podHostname(pod: Pod): string {
  return (pod.spec?.hostname ?? pod.metadata?.name ?? "").slice(0, 63);
}

/**
 * Returns the user and group. runAsUser of the container comes before that of the Pod, and that before the
 * image's.
 * @throws ConfigError
 */
function user(pod: Pod, spec: ContainerSpec | EphemeralSpec, image: SimulatedImage, tag: string) {
  const ofPod = pod.spec?.securityContext;
  const ofContainer = spec.securityContext;
  const [name = "0", group] = (image.config.user ?? "0").split(":");
  const accounts = passwd(image, tag);
  const runAsUser = ofContainer?.runAsUser ?? ofPod?.runAsUser;
  const numeric = /^\d+$/.test(name);
  const account = runAsUser !== undefined ? undefined : accounts.find((entry) => entry.name === name);
  const where = `(pod: "${formatPod(pod)}", container: ${spec.name})`;
  if (ofContainer?.runAsNonRoot ?? ofPod?.runAsNonRoot) {
    if (runAsUser === 0) throw new ConfigError(`container's runAsUser breaks non-root policy ${where}`);
    if (runAsUser === undefined && !numeric) {
      throw new ConfigError(
        `container has runAsNonRoot and image has non-numeric user (${name}), cannot verify user is non-root ${where}`,
      );
    }
    if (runAsUser === undefined && Number(name) === 0) {
      throw new ConfigError(`container has runAsNonRoot and image will run as root ${where}`);
    }
  }
  const uid = runAsUser ?? account?.uid ?? (numeric ? Number(name) : 0);
  // If neither the image nor the spec names a group, use the user's group in /etc/passwd, or else root's.
  const listed = accounts.find((entry) => entry.uid === uid)?.gid ?? 0;
  const imageGid = runAsUser === undefined && group && /^\d+$/.test(group) ? Number(group) : undefined;
  return { uid, gid: ofContainer?.runAsGroup ?? ofPod?.runAsGroup ?? imageGid ?? listed };
}

/** Returns the accounts in an image's /etc/passwd. */
function passwd(image: SimulatedImage, tag: string) {
  const file: ImageFile = image.files(tag)["/etc/passwd"] ?? "";
  return (typeof file === "string" ? file : file.content)
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", , uid, gid, , home = "/"] = line.split(":");
      return { name, uid: Number(uid), gid: Number(gid), home };
    });
}

function homeOf(uid: number, image: SimulatedImage, tag: string): string {
  return passwd(image, tag).find((account) => account.uid === uid)?.home ?? "/";
}

/** Returns the files that a kubelet and a runtime write into every container. */
function runtimeFiles(pod: Pod, hostname: string, ip: string): Record<string, ImageFile> {
  const namespace = pod.metadata?.namespace ?? "default";
  const aliases = (pod.spec?.hostAliases ?? []).map(
    ({ ip: host, hostnames }) => `${host}\t${hostnames?.join("\t")}\n`,
  );
  return {
    "/etc/hostname": `${hostname}\n`,
    "/etc/hosts": [
      "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n",
      `fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n${ip}\t${hostname}\n`,
      ...(aliases.length ? ["\n# Entries added by HostAliases.\n", ...aliases] : []),
    ].join(""),
    "/etc/resolv.conf": `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n`,
  };
}
