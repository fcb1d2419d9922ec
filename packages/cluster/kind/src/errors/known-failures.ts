import type { EngineName } from "../engine/engine.ts";
import { formatWayOut, hostOf, reachEngine, surroundingsOf } from "../engine/reach-engine.ts";
import { clusterNeeds, inGigabytes } from "../needs.ts";
import type { KindProblem } from "./kind-error.ts";

/** The context of an output, so that the fix fits. */
export interface FailureContext {
  readonly engine: EngineName;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** The cluster's name, if known. */
  readonly cluster: string;
}

/** A known message of kind, an engine or a node, and its meaning. */
export interface KnownFailure {
  readonly problem: KindProblem;
  readonly pattern: RegExp;
  readonly cause: (match: RegExpExecArray, context: FailureContext) => string;
  readonly fix: (context: FailureContext, match: RegExpExecArray) => string;
}

const otherProcessor = {
  cause: () => "the image was built for a different CPU architecture",
  fix: () =>
    "Use an image for this machine's architecture. If the image is your own, build it here, without --platform or DOCKER_DEFAULT_PLATFORM.",
} satisfies Partial<KnownFailure>;

/**
 * In order of precedence: causes come before their effects (a full disk makes many things fail). The messages
 * are those of kind 0.33 (`pkg/`), docker 20 to 29, podman 4 and 5, nerdctl 2, kubeadm and kubelet 1.36.
 */
export const knownFailures: readonly KnownFailure[] = [
  {
    problem: "inotify",
    pattern:
      // cadvisor's message about a deleted folder is not a limit. "no space left" instead of a watch is one.
      /too many open files|inotify_\w+.*(?:too many|no space left|limit)|inotify watch(?:es)? limit|(?:failed to create|watch).*fsnotify.*no space left/i,
    cause: () => "the nodes have reached this machine's limits on open files or inotify watches",
    fix: ({ platform }) =>
      `Raise the limits${platform === "linux" ? "" : " in the engine's virtual machine"}: \`sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512\`\n` +
      "(to keep them after a restart, put both settings into /etc/sysctl.d/99-kind.conf; https://kind.sigs.k8s.io/docs/user/known-issues/).",
  },
  {
    problem: "disk-full",
    pattern: /no space left on device|disk quota exceeded|not enough space on the disk/i,
    cause: () => "the disk that holds the containers is full",
    fix: ({ engine }) =>
      `\`${engine} system df\` shows what uses the space, and \`${engine} system prune\` removes what no container uses. A cluster needs about ${inGigabytes(clusterNeeds.disk)}.`,
  },
  {
    problem: "engine-permission",
    pattern:
      /permission denied while trying to connect to the docker|connect: permission denied|Got permission denied|dial unix \S+: .*permission denied/i,
    cause: (_match, { engine, env }) => `this user has no permission to use ${engine}${at(engine, env)}`,
    fix: (context, { input }) => reach(context, input, true),
  },
  {
    problem: "engine-not-running",
    pattern: /could not be found in this WSL (?:1|2) distro/i,
    cause: () => "Docker Desktop is not enabled for this WSL distribution",
    fix: () => "Enable this distribution in Docker Desktop: Settings, Resources, WSL integration.",
  },
  {
    problem: "engine-not-running",
    pattern:
      /Cannot connect to the Docker daemon|failed to connect to the docker API|Is the docker daemon running|error during connect|Cannot connect to Podman|rootless containerd not running|cannot access containerd socket|connection to the container runtime|Docker Desktop is (?:unable|starting|not running)|failed to get docker info|failed to get podman info|failed to get nerdctl info/i,
    cause: (_match, { engine, env }) =>
      `${engine} is installed but not running: nothing answers${at(engine, env)}`,
    fix: (context, { input }) => reach(context, input, false),
  },
  {
    problem: "engine-not-running",
    pattern:
      /error waiting for container: .*EOF|^.*\/v1\.\d+\/\S*": (?:unexpected )?EOF|read unix .*: connection reset by peer/im,
    cause: (_match, { engine, env }) => `${engine}${at(engine, env)} stopped answering while the command ran`,
    fix: (context, { input }) => reach(context, input, false),
  },
  {
    problem: "name-exists",
    pattern: /node\(s\) already exist for a cluster with the name "([^"]+)"/,
    cause: ([, name]) => `cluster ${name} already exists`,
    fix: (_context, [, name]) =>
      `Use it, choose another name (--name), or remove it: \`pnpm kind-down --name ${name}\`.`,
  },
  {
    problem: "name-exists",
    pattern: /the container name "\/?([^"]+)" is already in use|name "([^"]+)" is already used/i,
    cause: ([, docker, nerdctl]) => `container ${docker ?? nerdctl} already exists`,
    fix: ({ engine }, [, docker, nerdctl]) =>
      `Remove it (\`${engine} rm -f ${docker ?? nerdctl}\`), or choose another name.`,
  },
  {
    problem: "cgroup-v1",
    pattern:
      /kubelet is configured to not run on a host using cgroup v1|cgroup v1 support is unsupported|FailCgroupV1|cgroups v1 support .* (?:unsupported|deprecated).*set.*failCgroupV1/i,
    cause: () => "this machine uses cgroup v1, which the nodes' kubelets reject",
    fix: () =>
      "Switch to cgroup v2 (distributions since 2022 have it; `stat -fc %T /sys/fs/cgroup` prints cgroup2fs), or put\n" +
      "`failCgroupV1: false` into a KubeletConfiguration patch. `pnpm kind-up` does that unless the configuration sets failCgroupV1.",
  },
  {
    problem: "cgroup-v1",
    pattern: /running kind with rootless provider requires (cgroup v2|setting systemd property)/,
    cause: ([, what]) =>
      `a rootless engine needs ${what === "cgroup v2" ? what : "cgroups that systemd has delegated to it"}`,
    fix: () => "See https://kind.sigs.k8s.io/docs/user/rootless/, or use an engine that runs as root.",
  },
  {
    problem: "wrong-architecture",
    pattern:
      /exec format error|no match(?:ing manifest)? for (?:platform in manifest|linux\/\S+)|image operating system "?\w+"? cannot be used/i,
    ...otherProcessor,
  },
  {
    problem: "port-taken",
    pattern: /cannot expose privileged port (\d+)/i,
    cause: ([, port]) => `port ${port} is reserved for root, and the engine is rootless`,
    fix: ({ platform }, [, port]) =>
      platform === "linux"
        ? `Use port 1024 or higher, or allow this port: \`sudo sysctl net.ipv4.ip_unprivileged_port_start=${port}\`.`
        : "Use port 1024 or higher.",
  },
  {
    problem: "port-taken",
    pattern: /Ports are not available: exposing port \w+ \S+:(\d+) .*forbidden by its access permissions/i,
    cause: ([, port]) => `Windows reserves port ${port}`,
    fix: () =>
      "Choose another port. `netsh interface ipv4 show excludedportrange protocol=tcp` lists the reserved ports.",
  },
  {
    problem: "port-taken",
    pattern:
      /(?:Bind for|listen (?:tcp|udp)[46]?|bind (?:host )?port(?: for)?) (?:(?:[\d.]*|\[[^\]]*\]):)?(\d+).*(?:already allocated|already in use)|port is already allocated|address already in use/i,
    cause: ([, port]) =>
      `${port === undefined ? "a requested port" : `port ${port}`} on this machine is already in use`,
    fix: ({ engine, platform }, [, port = "<port>"]) => {
      const list =
        platform === "darwin" ? `lsof -nP -iTCP:${port} -sTCP:LISTEN` : `ss -ltnp 'sport = :${port}'`;
      return `Find the program that uses it (\`${engine} ps --filter publish=${port}\`, \`${list}\`) and stop it, or choose another port (hostPort, apiServerPort, --registry).`;
    },
  },
  {
    problem: "proxy",
    pattern: /proxyconnect tcp|Proxy Authentication Required|malformed HTTP response from proxy/i,
    cause: (_match, { env }) => `the engine cannot connect through the proxy${proxyOf(env)}`,
    fix: ({ engine }) =>
      `The engine's daemon has its own proxy settings (\`${engine} info\` shows them). Set HTTP_PROXY, HTTPS_PROXY and NO_PROXY there (https://docs.docker.com/engine/daemon/proxy/) and in this shell.`,
  },
  {
    problem: "image-pull",
    pattern: /x509: certificate signed by unknown authority|tls: failed to verify certificate/i,
    cause: () => "the engine does not trust the registry's certificate",
    fix: ({ engine }) =>
      `A proxy that inspects TLS has its own certificate: add it to ${engine}'s daemon (https://docs.docker.com/engine/network/ca-certs/).`,
  },
  {
    problem: "image-pull",
    pattern: /(docker-credential-[\w-]+)[^\n]*(?:executable file not found|not found in \S*PATH)/i,
    cause: ([, helper]) => `docker's configuration names ${helper}, which is not on the PATH`,
    fix: () => "Install it, or remove `credsStore` and `credHelpers` from ~/.docker/config.json.",
  },
  {
    problem: "unknown",
    pattern: /unknown flag: --platform|"--platform" requires API version/i,
    cause: () => "this docker cannot save a single platform of a multi-platform image",
    fix: () => "Use Docker 28 or newer, or build the image here, for this machine only.",
  },
  {
    problem: "image-missing",
    pattern:
      /image: "([^"]+)" not present locally|No such image: (\S+)|(?:Error|inspecting object): (\S+): image not known/i,
    cause: ([, kind, docker, other]) => `the engine has no image ${kind ?? docker ?? other}`,
    fix: ({ engine }) =>
      `Build it first (\`make docker-build\`), and compare its name with \`${engine} images\`.`,
  },
  {
    problem: "image-pull",
    pattern: /toomanyrequests|pull rate limit|429 Too Many Requests/i,
    cause: () => "this address has reached the registry's pull limit",
    fix: ({ engine }) => `Log in (\`${engine} login\`), or wait. Docker Hub counts pulls per hour.`,
  },
  {
    problem: "image-pull",
    pattern:
      /manifest for (\S+) not found|manifest unknown|pull access denied for (\S+?),|repository (\S+) not found|requested access to the resource is denied|failed to resolve reference "([^"]+)".*: not found/i,
    cause: ([, manifest, access, repository, reference]) =>
      `the registry has no image ${manifest ?? access ?? repository ?? reference ?? "of that name"}`,
    fix: () =>
      "Check its name and tag (--image, KIND_NODE_IMAGE, `image:` in the configuration). kind's release notes list the tags of node images.",
  },
  {
    problem: "network",
    pattern:
      /non-overlapping IPv4 address pool|all predefined address pools have been fully subnetted|exhausted attempts trying to find a non-overlapping subnet/i,
    cause: () => "the engine has no addresses left for another network",
    fix: ({ engine }) =>
      `Remove unused networks: \`${engine} network prune\`. A VPN may also occupy addresses.`,
  },
  {
    problem: "image-pull",
    pattern:
      /failed to pull image "([^"]+)"|(?:lookup|dial tcp:? lookup) \S+.*(?:no such host|i\/o timeout|server misbehaving|Temporary failure)|dial tcp \S+: (?:i\/o timeout|connect: (?:connection refused|network is unreachable|no route to host))|net\/http: TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded \(Client/i,
    cause: ([, image]) =>
      image === undefined
        ? "the registry cannot be reached"
        : `the image ${image} is not on this machine and could not be pulled`,
    fix: ({ engine }) =>
      `Check that this machine can reach the registry (\`${engine} pull\` of the same image reports more), or name an image that is on this machine: --image, KIND_NODE_IMAGE.`,
  },
  {
    problem: "no-cluster",
    pattern:
      /no nodes found for cluster "([^"]+)"|unknown cluster "([^"]+)"|could not locate any control plane nodes for cluster named '([^']+)'/,
    cause: ([, nodes, logs, kubeconfig]) => `there is no cluster ${nodes ?? logs ?? kubeconfig}`,
    fix: (_context, [, nodes, logs, kubeconfig]) =>
      `\`kind get clusters\` lists the clusters; \`pnpm kind-up --name ${nodes ?? logs ?? kubeconfig}\` creates it.`,
  },
  {
    problem: "no-cluster",
    pattern: /unknown node: "?([\w.-]+)"?/,
    cause: ([, node]) => `there is no node ${node}`,
    fix: ({ cluster }) => `\`kind get nodes --name ${cluster}\` lists them.`,
  },
  {
    problem: "bad-config",
    pattern:
      /(?:unable to decode config|could not determine kind \/ apiVersion for config|unknown apiVersion|unknown kind \S+ for apiVersion|invalid configuration for node|is not a valid cluster name|must have at least one control-plane node|invalid (?:ipFamily|kubeProxyMode|apiServerPort|pod subnet|service subnet))[^\n]*/,
    cause: ([text]) => `kind rejects the configuration: ${text}`,
    fix: () => "See https://kind.sigs.k8s.io/docs/user/configuration/ for the valid fields.",
  },
  {
    problem: "file-missing",
    pattern: /(?:stat|open) (\S+): no such file or directory/,
    cause: ([, file]) => `there is no file ${file}`,
    fix: () => "Check its path.",
  },
  {
    problem: "unhealthy",
    pattern: /failed to lock config file: open (\S+): file exists/,
    cause: ([, lock]) => `the kubeconfig is locked by ${lock}`,
    fix: (_context, [, lock]) =>
      `If neither kubectl nor kind is running, an earlier one was killed and left the lock behind: \`rm ${lock}\`.`,
  },
  {
    problem: "out-of-memory",
    pattern:
      /exit(?:ed with)? (?:code|status) 137|OOMKilled|Out of memory: Killed process|cannot allocate memory/i,
    cause: () => "the machine does not have enough memory for the nodes",
    fix: () =>
      `A cluster of two nodes needs about ${inGigabytes(clusterNeeds.memory)} of free memory. Docker Desktop has its own limit in its settings.`,
  },
  {
    // A warning: on some machines such an image runs, slowly.
    problem: "wrong-architecture",
    pattern: /does not match the detected host platform/i,
    ...otherProcessor,
  },
  {
    problem: "timeout",
    pattern:
      /timed out waiting for the condition|kubelet is not healthy after|context deadline exceeded|could not find a log line that matches|Unfortunately, an error has occurred, likely caused by/i,
    cause: () => "Kubernetes on the nodes did not start in time",
    fix: ({ cluster }) =>
      `The machine may just be busy: try again. To investigate, add --retain, then run \`kind export logs --name ${cluster}\`.`,
  },
];

function reach({ engine, env, platform }: FailureContext, says: string, denied: boolean): string {
  return formatWayOut(reachEngine({ engine, env, on: surroundingsOf(platform), says, denied }));
}

function at(engine: EngineName, env: NodeJS.ProcessEnv): string {
  const host = hostOf(engine, env);
  return host === undefined ? "" : ` at ${host}`;
}

/** Leaves out its user name and password. */
function proxyOf(env: NodeJS.ProcessEnv): string {
  const proxy = env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy;
  return proxy === undefined ? "" : ` ${proxy.replace(/\/\/[^@/]*@/, "//")}`;
}
