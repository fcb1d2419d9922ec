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
  cause: () => "the image was built for another processor than this machine has",
  fix: () =>
    "Take the image for this machine's architecture (an image of your own: build it here, without --platform and DOCKER_DEFAULT_PLATFORM).",
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
    cause: () => "the nodes use up what this machine allows of open files and inotify watches",
    fix: ({ platform }) =>
      `Allow more${platform === "linux" ? "" : " in the virtual machine of the engine"}: \`sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512\`\n` +
      "(to keep it: the same two lines in /etc/sysctl.d/99-kind.conf; https://kind.sigs.k8s.io/docs/user/known-issues/).",
  },
  {
    problem: "disk-full",
    pattern: /no space left on device|disk quota exceeded|not enough space on the disk/i,
    cause: () => "the disk that holds the containers is full",
    fix: ({ engine }) =>
      `See what takes it with \`${engine} system df\`; \`${engine} system prune\` removes what no container uses. A cluster needs some ${inGigabytes(clusterNeeds.disk)}.`,
  },
  {
    problem: "engine-permission",
    pattern:
      /permission denied while trying to connect to the docker|connect: permission denied|Got permission denied|dial unix \S+: .*permission denied/i,
    cause: (_match, { engine, env }) => `this user may not talk to ${engine}${at(engine, env)}`,
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
      `${engine} is installed, and nothing answers${at(engine, env)}: it is not running`,
    fix: (context, { input }) => reach(context, input, false),
  },
  {
    problem: "engine-not-running",
    pattern:
      /error waiting for container: .*EOF|^.*\/v1\.\d+\/\S*": (?:unexpected )?EOF|read unix .*: connection reset by peer/im,
    cause: (_match, { engine, env }) => `${engine}${at(engine, env)} stopped answering in the middle`,
    fix: (context, { input }) => reach(context, input, false),
  },
  {
    problem: "name-exists",
    pattern: /node\(s\) already exist for a cluster with the name "([^"]+)"/,
    cause: ([, name]) => `there is a cluster ${name} already`,
    fix: (_context, [, name]) =>
      `Use it, take another name (--name), or remove it: \`pnpm kind-down --name ${name}\`.`,
  },
  {
    problem: "name-exists",
    pattern: /the container name "\/?([^"]+)" is already in use|name "([^"]+)" is already used/i,
    cause: ([, docker, nerdctl]) => `there is a container ${docker ?? nerdctl} already`,
    fix: ({ engine }, [, docker, nerdctl]) =>
      `Remove it (\`${engine} rm -f ${docker ?? nerdctl}\`), or take another name.`,
  },
  {
    problem: "cgroup-v1",
    pattern:
      /kubelet is configured to not run on a host using cgroup v1|cgroup v1 support is unsupported|FailCgroupV1|cgroups v1 support .* (?:unsupported|deprecated).*set.*failCgroupV1/i,
    cause: () => "this machine uses cgroup v1, and the nodes' kubelet refuses it",
    fix: () =>
      "Move to cgroup v2 (a distribution of 2022 or newer has it; `stat -fc %T /sys/fs/cgroup` says cgroup2fs), or put\n" +
      "`failCgroupV1: false` into a KubeletConfiguration patch; `pnpm kind-up` does so where nothing says otherwise.",
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
    cause: ([, port]) => `port ${port} is for root only, and the engine is rootless`,
    fix: ({ platform }, [, port]) =>
      platform === "linux"
        ? `Take a port of 1024 or more, or allow it: \`sudo sysctl net.ipv4.ip_unprivileged_port_start=${port}\`.`
        : "Take a port of 1024 or more.",
  },
  {
    problem: "port-taken",
    pattern: /Ports are not available: exposing port \w+ \S+:(\d+) .*forbidden by its access permissions/i,
    cause: ([, port]) => `Windows reserves port ${port}`,
    fix: () =>
      "Give another port; `netsh interface ipv4 show excludedportrange protocol=tcp` lists the reserved ports.",
  },
  {
    problem: "port-taken",
    pattern:
      /(?:Bind for|listen (?:tcp|udp)[46]?|bind (?:host )?port(?: for)?) (?:(?:[\d.]*|\[[^\]]*\]):)?(\d+).*(?:already allocated|already in use)|port is already allocated|address already in use/i,
    cause: ([, port]) => `port ${port ?? "asked for"} of this machine is taken`,
    fix: ({ engine, platform }, [, port = "<port>"]) => {
      const who =
        platform === "darwin" ? `lsof -nP -iTCP:${port} -sTCP:LISTEN` : `ss -ltnp 'sport = :${port}'`;
      return `See who has it (\`${engine} ps --filter publish=${port}\`, \`${who}\`), end that, or give another port (hostPort, apiServerPort, --registry).`;
    },
  },
  {
    problem: "proxy",
    pattern: /proxyconnect tcp|Proxy Authentication Required|malformed HTTP response from proxy/i,
    cause: (_match, { env }) => `the proxy${proxyOf(env)} does not let the engine through`,
    fix: ({ engine }) =>
      `The engine's daemon has a proxy of its own (\`${engine} info\` shows it): set HTTP_PROXY, HTTPS_PROXY and NO_PROXY there (https://docs.docker.com/engine/daemon/proxy/), and in this shell.`,
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
    fix: () => "Install it, or take `credsStore` and `credHelpers` out of ~/.docker/config.json.",
  },
  {
    problem: "unknown",
    pattern: /unknown flag: --platform|"--platform" requires API version/i,
    cause: () => "this docker cannot save a single platform of a multi-platform image",
    fix: () => "Docker 28 can. Or build the image here, for this machine alone.",
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
    cause: () => "the registry limits the pulls of this address",
    fix: ({ engine }) => `Log in (\`${engine} login\`), or wait: Docker Hub counts by the hour.`,
  },
  {
    problem: "image-pull",
    pattern:
      /manifest for (\S+) not found|manifest unknown|pull access denied for (\S+?),|repository (\S+) not found|requested access to the resource is denied|failed to resolve reference "([^"]+)".*: not found/i,
    cause: ([, manifest, access, repository, reference]) =>
      `the registry has no image ${manifest ?? access ?? repository ?? reference ?? "of that name"}`,
    fix: () =>
      "Look at its name and tag (--image, KIND_NODE_IMAGE, `image:` in the configuration); the tags of node images are in kind's release notes.",
  },
  {
    problem: "network",
    pattern:
      /non-overlapping IPv4 address pool|all predefined address pools have been fully subnetted|exhausted attempts trying to find a non-overlapping subnet/i,
    cause: () => "the engine has no addresses left for another network",
    fix: ({ engine }) =>
      `Remove networks that nothing uses: \`${engine} network prune\`; a VPN may take the rest.`,
  },
  {
    problem: "image-pull",
    pattern:
      /failed to pull image "([^"]+)"|(?:lookup|dial tcp:? lookup) \S+.*(?:no such host|i\/o timeout|server misbehaving|Temporary failure)|dial tcp \S+: (?:i\/o timeout|connect: (?:connection refused|network is unreachable|no route to host))|net\/http: TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded \(Client/i,
    cause: ([, image]) =>
      image === undefined
        ? "the registry cannot be reached"
        : `the image ${image} is not here, and could not be pulled`,
    fix: ({ engine }) =>
      `See that this machine reaches the registry (\`${engine} pull\` of the same image says more), or name an image that is here: --image, KIND_NODE_IMAGE.`,
  },
  {
    problem: "no-cluster",
    pattern:
      /no nodes found for cluster "([^"]+)"|unknown cluster "([^"]+)"|could not locate any control plane nodes for cluster named '([^']+)'/,
    cause: ([, nodes, logs, kubeconfig]) => `there is no cluster ${nodes ?? logs ?? kubeconfig}`,
    fix: (_context, [, nodes, logs, kubeconfig]) =>
      `\`kind get clusters\` lists the clusters; \`pnpm kind-up --name ${nodes ?? logs ?? kubeconfig}\` makes it.`,
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
    cause: ([text]) => `kind does not take the configuration: ${text}`,
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
      `If no kubectl and no kind is running, an earlier one was killed: \`rm ${lock}\`.`,
  },
  {
    problem: "out-of-memory",
    pattern:
      /exit(?:ed with)? (?:code|status) 137|OOMKilled|Out of memory: Killed process|cannot allocate memory/i,
    cause: () => "the machine does not have enough memory for the nodes",
    fix: () =>
      `A cluster of two nodes needs some ${inGigabytes(clusterNeeds.memory)} free; Docker Desktop has a limit of its own in its settings.`,
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
    cause: () => "the nodes' Kubernetes did not come up in time",
    fix: ({ cluster }) =>
      `A busy machine may just be too slow: try again. To investigate: --retain, then \`kind export logs --name ${cluster}\`.`,
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
