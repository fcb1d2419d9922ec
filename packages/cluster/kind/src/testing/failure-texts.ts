import type { EngineName } from "../engine/engine.ts";
import type { KindProblem } from "../errors/kind-error.ts";

/** A message of kind, an engine or a node, and its expected explanation. */
export interface FailureText {
  /** The engine of the message. Default: docker. */
  readonly engine?: EngineName;
  readonly says: string;
  readonly problem: KindProblem;
  /** Part of the cause. */
  readonly cause: string;
  /** Part of the fix, on Linux. */
  readonly fix: string;
  /** The parts of `says` that come from kind. They are searched in the real binary. */
  readonly kinds?: readonly string[];
}

export const failureTexts: readonly FailureText[] = [
  {
    says: "ERROR: failed to create cluster: failed to get docker info: command \"docker info --format '{{json .}}'\" failed with error: exit status 1\n\nCommand Output: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    problem: "engine-not-running",
    cause: "docker is installed but not running: nothing answers",
    fix: "sudo systemctl start docker",
    kinds: ["failed to create cluster", "failed to get docker info", "\nCommand Output: %s"],
  },
  {
    says: "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory",
    problem: "engine-not-running",
    cause: "installed but not running",
    fix: "sudo systemctl start docker",
  },
  {
    says: 'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/info": dial unix /var/run/docker.sock: connect: permission denied',
    problem: "engine-permission",
    cause: "this user has no permission to use docker",
    fix: "sudo usermod -aG docker $USER",
  },
  {
    says: 'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "dev"',
    problem: "name-exists",
    cause: "cluster dev already exists",
    fix: "pnpm kind-down --name dev",
    kinds: ["node(s) already exist for a cluster with the name %q"],
  },
  {
    says: 'docker: Error response from daemon: Conflict. The container name "/kind-registry" is already in use by container "4f". You have to remove (or rename) that container to be able to reuse that name.',
    problem: "name-exists",
    cause: "container kind-registry already exists",
    fix: "docker rm -f kind-registry",
  },
  {
    says: 'ERROR: failed to create cluster: could not find a log line that matches "Reached target .*Multi-User System.*|detected cgroup v1"\nFailed to create control group inotify object: Too many open files\nFailed to allocate manager object: Too many open files',
    problem: "inotify",
    cause: "inotify watches",
    fix: "fs.inotify.max_user_watches=524288",
    kinds: [
      "could not find a log line that matches %q",
      "Reached target .*Multi-User System.*|detected cgroup v1",
    ],
  },
  {
    says: 'kubelet: failed to watch "/sys/fs/cgroup": inotify_add_watch /sys/fs/cgroup/x: no space left on device',
    problem: "inotify",
    cause: "inotify watches",
    fix: "fs.inotify.max_user_watches=524288",
  },
  {
    says: "failed to create fsnotify watcher: too many open files",
    problem: "inotify",
    cause: "open files",
    fix: "fs.inotify.max_user_instances=512",
  },
  {
    says: 'E1122 command failed err="failed to validate kubelet configuration, error: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release"',
    problem: "cgroup-v1",
    cause: "cgroup v1",
    fix: "failCgroupV1: false",
  },
  {
    says: "ERROR: failed to create cluster: running kind with rootless provider requires cgroup v2, see https://kind.sigs.k8s.io/docs/user/rootless/",
    problem: "cgroup-v1",
    cause: "a rootless engine needs cgroup v2",
    fix: "https://kind.sigs.k8s.io/docs/user/rootless/",
    kinds: [
      "running kind with rootless provider requires cgroup v2",
      "running kind with rootless provider requires setting systemd property",
    ],
  },
  {
    says: "exec /usr/local/bin/entrypoint: exec format error",
    problem: "wrong-architecture",
    cause: "a different CPU architecture",
    fix: "architecture",
  },
  {
    says: "WARNING: The requested image's platform (linux/arm64) does not match the detected host platform (linux/amd64/v3) and no specific platform was requested",
    problem: "wrong-architecture",
    cause: "a different CPU architecture",
    fix: "DOCKER_DEFAULT_PLATFORM",
  },
  {
    says: "WARNING: The requested image's platform (linux/arm64) does not match the detected host platform\nBind for 0.0.0.0:81 failed: port is already allocated.",
    problem: "port-taken",
    cause: "port 81",
    fix: "hostPort",
  },
  {
    says: "docker: Error response from daemon: driver failed programming external connectivity on endpoint dev-control-plane (4f): Bind for 127.0.0.1:8080 failed: port is already allocated.",
    problem: "port-taken",
    cause: "port 8080 on this machine is already in use",
    fix: "sport = :8080",
  },
  {
    says: "docker: Error response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint x: failed to bind host port for 0.0.0.0:80:172.18.0.2:80/tcp: address already in use",
    problem: "port-taken",
    cause: "port 80 on this machine is already in use",
    fix: "hostPort",
  },
  {
    says: "docker: Error response from daemon: driver failed programming external connectivity on endpoint x (4f): Error starting userland proxy: listen tcp4 0.0.0.0:6443: bind: address already in use.",
    problem: "port-taken",
    cause: "port 6443 on this machine is already in use",
    fix: "apiServerPort",
  },
  {
    says: 'Error response from daemon: Get "https://registry-1.docker.io/v2/": proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused',
    problem: "proxy",
    cause: "the engine cannot connect through the proxy http://proxy.example:3128",
    fix: "NO_PROXY",
  },
  {
    says: 'ERROR: image: "payment:1.0.0" not present locally',
    problem: "image-missing",
    cause: "the engine has no image payment:1.0.0",
    fix: "docker images",
    kinds: ["image: %q not present locally"],
  },
  {
    says: 'ERROR: failed to create cluster: failed to pull image "kindest/node:v9": command "docker pull kindest/node:v9" failed with error: exit status 1\n\nCommand Output: Error response from daemon: manifest for kindest/node:v9 not found: manifest unknown: manifest unknown',
    problem: "image-pull",
    cause: "the registry has no image kindest/node:v9",
    fix: "KIND_NODE_IMAGE",
    kinds: ["failed to pull image %q"],
  },
  {
    says: 'ERROR: failed to create cluster: failed to pull image "kindest/node:v1.36.4": command "docker pull kindest/node:v1.36.4" failed with error: exit status 1\n\nCommand Output: Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 10.0.0.53:53: no such host',
    problem: "image-pull",
    cause: "the image kindest/node:v1.36.4 is not on this machine and could not be pulled",
    fix: "docker pull",
  },
  {
    says: "Error response from daemon: toomanyrequests: You have reached your unauthenticated pull rate limit.",
    problem: "image-pull",
    cause: "pull limit",
    fix: "docker login",
  },
  {
    says: "failed to ensure docker network: could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network",
    problem: "network",
    cause: "no addresses left",
    fix: "docker network prune",
    kinds: ["failed to ensure docker network", "exhausted attempts trying to find a non-overlapping subnet"],
  },
  {
    says: 'ERROR: no nodes found for cluster "dev"',
    problem: "no-cluster",
    cause: "there is no cluster dev",
    fix: "pnpm kind-up --name dev",
    kinds: ["no nodes found for cluster %q"],
  },
  {
    says: 'ERROR: unknown cluster "dev"',
    problem: "no-cluster",
    cause: "there is no cluster dev",
    fix: "kind get clusters",
    kinds: ["unknown cluster %q"],
  },
  {
    says: "ERROR: could not locate any control plane nodes for cluster named 'dev'. Use the --name option to select a different cluster",
    problem: "no-cluster",
    cause: "there is no cluster dev",
    fix: "kind get clusters",
    kinds: ["could not locate any control plane nodes for cluster named '%s'"],
  },
  {
    says: 'ERROR: unknown node: "dev-worker7"',
    problem: "no-cluster",
    cause: "there is no node dev-worker7",
    fix: "kind get nodes",
    kinds: ["unknown node: %q"],
  },
  {
    says: "ERROR: failed to create cluster: unable to decode config: yaml: unmarshal errors:\n  line 3: field rol not found in type v1alpha4.Cluster",
    problem: "bad-config",
    cause: "unable to decode config",
    fix: "https://kind.sigs.k8s.io/docs/user/configuration/",
    kinds: ["unable to decode config", "unknown apiVersion: %s", "invalid configuration for node %d: %v"],
  },
  {
    says: "ERROR: failed to create cluster: failed to lock config file: open /home/me/.kube/config.lock: file exists",
    problem: "unhealthy",
    cause: "/home/me/.kube/config.lock",
    fix: "rm /home/me/.kube/config.lock",
    kinds: ["failed to lock config file"],
  },
  {
    says: "write /var/lib/docker/tmp/x: no space left on device\nERROR: failed to create cluster: timed out waiting for the condition",
    problem: "disk-full",
    cause: "the disk that holds the containers is full",
    fix: "docker system prune",
  },
  {
    says: 'command "docker run" failed with error: exit status 137',
    problem: "out-of-memory",
    cause: "memory",
    fix: "2 GB",
  },
  {
    says: "ERROR: failed to create cluster: failed to init node with kubeadm: command failed\nCommand Output: [kubelet-check] The kubelet is not healthy after 4m0.000s\nerror: context deadline exceeded",
    problem: "timeout",
    cause: "did not start in time",
    fix: "--retain",
    kinds: ["failed to init node with kubeadm"],
  },
  {
    says: "The command 'docker' could not be found in this WSL 2 distro.\nWe recommend to activate the WSL integration in Docker Desktop settings.",
    problem: "engine-not-running",
    cause: "this WSL distribution",
    fix: "WSL integration",
  },
  {
    says: "docker: Error response from daemon: Ports are not available: exposing port TCP 0.0.0.0:80 -> 0.0.0.0:0: listen tcp 0.0.0.0:80: bind: An attempt was made to access a socket in a way forbidden by its access permissions.",
    problem: "port-taken",
    cause: "Windows reserves port 80",
    fix: "excludedportrange",
  },
  {
    says: "Error: rootlessport cannot expose privileged port 80, you can add 'net.ipv4.ip_unprivileged_port_start=80' to /etc/sysctl.conf (currently 1024), or choose a larger port number (>= 1024): listen tcp 0.0.0.0:80: bind: permission denied",
    problem: "port-taken",
    cause: "port 80 is reserved for root",
    fix: "ip_unprivileged_port_start=80",
  },
  {
    engine: "podman",
    says: 'Error: creating container storage: the container name "kind-registry" is already in use by 4f. You have to remove that container to be able to reuse that name: that name is already in use, or use --replace to instruct Podman to do so.',
    problem: "name-exists",
    cause: "container kind-registry already exists",
    fix: "podman rm -f kind-registry",
  },
  {
    engine: "podman",
    says: "Error: cannot listen on the TCP port: listen tcp4 :18999: bind: address already in use",
    problem: "port-taken",
    cause: "port 18999 on this machine is already in use",
    fix: "podman ps --filter publish=18999",
  },
  {
    engine: "podman",
    says: "[]\nError: inspecting object: payment:1.0.0: image not known",
    problem: "image-missing",
    cause: "the engine has no image payment:1.0.0",
    fix: "podman images",
  },
  {
    engine: "podman",
    says: "Error: payment:1.0.0: image not known",
    problem: "image-missing",
    cause: "the engine has no image payment:1.0.0",
    fix: "podman images",
  },
  {
    engine: "podman",
    says: "Cannot connect to Podman. Please verify your connection to the Linux system using `podman system connection list`, or try `podman machine init` and `podman machine start` to manage a new Linux VM",
    problem: "engine-not-running",
    cause: "nothing answers",
    fix: "podman",
  },
  {
    engine: "nerdctl",
    says: "rootless containerd not running? (hint: use `containerd-rootless-setuptool.sh install` to start rootless containerd): stat /run/user/1000/containerd-rootless: no such file or directory",
    problem: "engine-not-running",
    cause: "nothing answers",
    fix: "systemctl --user start containerd",
  },
  {
    says: 'Error response from daemon: Get "https://registry-1.docker.io/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    problem: "image-pull",
    cause: "does not trust the registry's certificate",
    fix: "ca-certs",
  },
  {
    says: 'error getting credentials - err: exec: "docker-credential-desktop": executable file not found in $PATH, out: ``',
    problem: "image-pull",
    cause: "docker-credential-desktop, which is not on the PATH",
    fix: "credsStore",
  },
  {
    says: 'ERROR: failed to create cluster: failed to pull image "kindest/node:v1.36.4": command failed\n\nCommand Output: error pulling image configuration: unexpected EOF',
    problem: "image-pull",
    cause: "could not be pulled",
    fix: "docker pull",
  },
];
