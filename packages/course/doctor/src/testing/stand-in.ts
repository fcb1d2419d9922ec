import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toolRequirements } from "@operator-path/tools";
import type { Machine } from "../machine.ts";

/** A machine made of folders. Its PATH, home and /proc are in one temporary folder. */
export interface StandIn extends AsyncDisposable {
  readonly machine: Machine;
  readonly bin: string;
  /** Puts a shell script on the PATH. Returns its path. */
  readonly program: (name: string, script: string) => Promise<string>;
  /** Writes a file below the machine's root, or with `~/` below its home. Returns the path. */
  readonly file: (path: string, text: string) => Promise<string>;
  /** Returns the machine with changes. */
  readonly as: (changes: Partial<Machine>) => Machine;
}

const gigabyte = 2 ** 30;

/** Creates an empty Linux, with a processor for which npm has no tools. */
export async function createStandIn(): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), "doctor-"));
  const [bin, home, root] = ["bin", "home", "root"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([bin, home, root].map((each) => mkdir(each)));
  const machine: Machine = {
    env: { PATH: bin },
    home,
    platform: "linux",
    superuser: false,
    arch: "arm64",
    root,
    node: { version: "26.10.0", path: "/opt/node/bin/node" },
    memory: 16 * gigabyte,
    now: new Date("2026-12-01T00:00:00Z"),
    cacheDirectory: join(home, ".cache", "operator-path"),
    // Long enough for a busy machine. Tests of a hang use less.
    patience: 20_000,
    enginePatience: 20_000,
    freeSpace: async () => 100 * gigabyte,
    tryPort: async () => undefined,
  };
  return {
    machine,
    bin,
    as: (changes) => ({ ...machine, ...changes }),
    async program(name, script) {
      const path = join(bin, name);
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
      return path;
    },
    async file(path, text) {
      const full = path.startsWith("~/") ? join(home, path.slice(2)) : join(root, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, text);
      return full;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The scripts of the programs of a full machine. */
export const healthyPrograms: Readonly<Record<string, string>> = {
  node: "echo v24.3.0",
  pnpm: "echo 12.21.0",
  npx: "echo 11.0.0",
  bash: "",
  curl: "",
  grep: "",
  sed: "",
  make: "echo 'GNU Make 4.3'",
  kubectl: `echo '{"clientVersion": {"gitVersion": "v${toolRequirements.kubectl.release}"}}'`,
  helm: "echo v4.2.3",
  kind: `echo 'kind v${toolRequirements.kind.release} go1.26.8 linux/arm64'`,
  go: "echo 'go version go1.26.8 linux/arm64'",
  docker: `echo '{"ServerVersion":"28.2.2","CgroupVersion":"2","MemTotal":17179869184,"DockerRootDir":"/var/lib/docker"}'`,
};

/** Creates a Debian with everything that the pages, kind and a project need. */
export async function createFullMachine(): Promise<StandIn> {
  const standIn = await createStandIn();
  const { program, file } = standIn;
  await Promise.all([
    ...Object.entries(healthyPrograms).map(([name, script]) => program(name, script)),
    file("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n'),
    file("proc/version", "Linux version 6.12.0 (debian-kernel@lists.debian.org)"),
    file("proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:   12582912 kB\n"),
    file("proc/sys/fs/inotify/max_user_watches", "524288\n"),
    file("proc/sys/fs/inotify/max_user_instances", "512\n"),
    file("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
    file("~/.kube/config", kubeconfig({ user: "token: secret" })),
  ]);
  return standIn;
}

/**
 * Returns a kubeconfig with one context of one cluster and one user. The parameters are more YAML for each.
 */
export function kubeconfig({ cluster = "", user = "", context = "prod" }): string {
  return `apiVersion: v1
kind: Config
current-context: ${context}
clusters:
  - name: cluster-of-${context}
    cluster: { server: "https://127.0.0.1:1"${cluster && `, ${cluster}`} }
users:
  - name: user-of-${context}
    user: { ${user} }
contexts:
  - name: ${context}
    context: { cluster: cluster-of-${context}, user: user-of-${context} }
`;
}
