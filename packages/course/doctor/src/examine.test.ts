import { chmod, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { kindNodeImage, toolRequirements } from "@operator-path/tools";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examine, missingFor } from "./examine.ts";
import type { Finding } from "./finding.ts";
import type { Probe } from "./probe.ts";
import { kubectlProbe } from "./probes/cluster-tools.ts";
import { inotifyProbe } from "./probes/inotify.ts";
import { createFullMachine, createStandIn, type StandIn } from "./testing/stand-in.ts";

const { kubectl, kind } = toolRequirements;

const subjects = (findings: readonly Finding[]) => findings.map(({ subject }) => subject);
const of = (findings: readonly Finding[], subject: string) =>
  findings.find((finding) => finding.subject === subject);

test("prints a fix for everything that a bare machine lacks", async () => {
  await using bare = await createStandIn();
  const findings = await examine(bare.machine);
  expect(subjects(missingFor(findings, "embedded"))).toEqual(["shell", "pnpm", "make", "kubectl", "helm"]);
  expect(subjects(missingFor(findings, "kind"))).toEqual([
    "shell",
    "pnpm",
    "make",
    "kubectl",
    "helm",
    "engine",
    "kind",
  ]);
  expect(subjects(missingFor(findings, "existing"))).toContain("kubeconfig");
  for (const { subject, state, mend } of findings) {
    if (state !== "missing") continue;
    expect([...(mend?.commands ?? []), ...(mend?.words ?? [])], subject).not.toEqual([]);
  }
});

test("finds nothing missing, weak or noted on a full machine", async () => {
  await using full = await createFullMachine();
  const findings = await examine(full.machine);
  expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(findings.map(({ subject, found }) => `${subject}: ${found}`)).toEqual([
    "system: Debian GNU/Linux 13 (trixie), arm64",
    "shell: bash, curl, grep, sed",
    "Node: 26.10.0",
    "your Node: 24.3.0",
    "pnpm: 12.21.0",
    "make: 4.3.0",
    `kubectl: ${kubectl.release}`,
    "helm: 4.2.3",
    "memory: 12 GB available",
    "disk: 100 GB free",
    "ports: free: 8080, 9090, 5001, 9443",
    "engine: docker 28.2.2",
    `kind: ${kind.release}`,
    `node image: ${kindNodeImage}`,
    "inotify: 524288 watches, 512 instances",
    "cgroup: version 2",
    "kubeconfig: 1 context, current: prod",
    "context: prod",
    "Go: 1.26.8",
  ]);
});

describe("one defect of a full machine", () => {
  let full: StandIn;
  beforeEach(async () => {
    full = await createFullMachine();
  });
  afterEach(() => full[Symbol.asyncDispose]());

  const gigabyte = 2 ** 30;
  const defects: readonly {
    what: string;
    make: () => Promise<unknown> | unknown;
    subject: string;
    state: Finding["state"];
    found: string;
    way: string;
  }[] = [
    {
      what: "a kubectl that is too old",
      make: () => full.program("kubectl", `echo '{"clientVersion": {"gitVersion": "v1.20.0"}}'`),
      ...{ subject: "kubectl", state: "missing", found: `no version ${kubectl.words}` },
      way: `curl -LO https://dl.k8s.io/release/v${kubectl.release}/bin/linux/arm64/kubectl`,
    },
    {
      what: "helm 3",
      make: () => full.program("helm", "echo v3.19.0"),
      ...{ subject: "helm", state: "missing", found: "no version 4", way: "./get_helm.sh" },
    },
    {
      what: "a pnpm that is too old, beside npx",
      make: () => full.program("pnpm", "echo 8.15.0"),
      ...{
        subject: "pnpm",
        state: "weak",
        found: "with npx --yes pnpm@12",
        way: "npm install --global pnpm@12",
      },
    },
    {
      what: "a Node that is too old for a project of one's own",
      make: () => full.program("node", "echo v18.20.0"),
      ...{ subject: "your Node", state: "missing", found: "18.20.0", way: "nvm install 24" },
    },
    {
      what: "a make that does not run",
      make: () => full.program("make", "echo 'no developer tools' >&2; exit 1"),
      ...{ subject: "make", state: "missing", found: "does not run: no developer tools" },
      way: "sudo apt-get install -y make",
    },
    {
      what: "few inotify instances",
      make: () => full.file("proc/sys/fs/inotify/max_user_instances", "128\n"),
      ...{ subject: "inotify", state: "weak", found: "524288 watches, 128 instances" },
      way: "sudo sysctl fs.inotify.max_user_instances=512",
    },
    {
      what: "little memory",
      make: () => full.file("proc/meminfo", "MemAvailable:   1048576 kB\n"),
      ...{
        subject: "memory",
        state: "weak",
        found: "1 GB available",
        way: "Close programs that use a lot of memory",
      },
    },
    {
      what: "a virtual machine with little memory",
      make: () => full.program("docker", `echo '{"ServerVersion":"28.2.2","MemTotal":2147483648}'`),
      ...{ subject: "memory", state: "weak", found: "12 GB available, 2 GB for containers" },
      way: "Close programs that use a lot of memory",
    },
    {
      what: "cgroup version 1",
      make: () => full.program("docker", `echo '{"ServerVersion":"20.10.24","CgroupVersion":"1"}'`),
      ...{ subject: "cgroup", state: "weak", found: "version 1", way: "sudo update-grub" },
    },
    {
      what: "an old Go",
      make: () => full.program("go", "echo 'go version go1.19.8 linux/arm64'"),
      ...{ subject: "Go", state: "missing", found: "1.19.8, too old" },
      way: "curl -LO https://go.dev/dl/go1.26.8.linux-arm64.tar.gz",
    },
  ];

  test.each(defects)("$what", async ({ make, subject, state, found, way }) => {
    await make();
    const findings = await examine(full.machine);
    const finding = of(findings, subject);
    expect(finding).toMatchObject({ state, found });
    expect([...(finding?.mend?.commands ?? []), ...(finding?.mend?.words ?? [])].join("\n")).toContain(way);
    expect(subjects(findings.filter((each) => each.state !== "ok"))).toEqual([subject]);
  });

  test("does not run a make that would open a window", async () => {
    await using macos = await createStandIn();
    const PATH = dirname(await macos.file("usr/bin/make", `#!/bin/sh\necho ran > '${macos.bin}/ran'\n`));
    await chmod(`${PATH}/make`, 0o755);
    const machine = macos.as({ platform: "darwin", env: { PATH } });
    expect(of(await examine(machine), "make")).toMatchObject({
      state: "missing",
      found: "no command line tools",
      mend: { commands: ["xcode-select --install"] },
    });
    await expect(stat(`${macos.bin}/ran`)).rejects.toThrow("ENOENT");
  });

  test("notes a missing node image", async () => {
    const info = `echo '{"ServerVersion":"28.2.2"}'`;
    await full.program("docker", `[ "$1" = info ] && ${info} && exit; echo 'No such image' >&2; exit 1`);
    const image = "example.com/node:v1";
    const env = { ...full.machine.env, KIND_NODE_IMAGE: image };
    expect(of(await examine(full.as({ env })), "node image")).toMatchObject({
      state: "note",
      found: `${image}, not on this machine yet`,
      mend: { commands: [`docker pull ${image}`] },
    });
  });

  test("reports a full disk", async () => {
    const machine = full.as({ freeSpace: async () => gigabyte / 2 });
    expect(of(await examine(machine), "disk")).toMatchObject({ state: "missing", found: "0.5 GB free" });
  });

  test("reports a disk with room for pages, but not for images", async () => {
    const machine = full.as({
      freeSpace: async (path) => (path === "/var/lib/docker" ? 2 : 100) * gigabyte,
    });
    const disk = of(await examine(machine), "disk");
    expect(disk).toMatchObject({ state: "weak", found: "2 GB free", neededFor: ["kind"] });
    expect(disk?.mend?.commands).toEqual(["docker system df"]);
  });

  test("notes another operator-sdk, with its path", async () => {
    const path = await full.program("operator-sdk", "echo v1.42.0");
    const finding = of(await examine(full.machine), "operator-sdk");
    expect(finding).toMatchObject({ state: "note", where: path, neededFor: [] });
    expect(finding?.details?.[0]).toContain(`${path} is another operator-sdk`);
  });

  test("reports a kubectl that it skips, and the one that it uses", async () => {
    await using before = await createStandIn();
    const old = await before.program("kubectl", `echo '{"clientVersion": {"gitVersion": "v1.30.1"}}'`);
    const finding = of(await examine(full.as({ env: { PATH: `${before.bin}:${full.bin}` } })), "kubectl");
    expect(finding).toMatchObject({ state: "ok", found: kubectl.release, where: `${full.bin}/kubectl` });
    expect(finding?.details).toEqual([`${old} is 1.30.1, and ${kubectl.words} is needed: skipped.`]);
  });

  test("accepts Go in the place of kind, which the scripts build", async () => {
    await full.program("kind", "exit 1");
    expect(of(await examine(full.machine), "kind")).toMatchObject({
      state: "ok",
      found: "not yet: will be built once, with Go",
    });
  });

  test("only recommends WSL on Windows", async () => {
    const findings = await examine(full.as({ platform: "win32" }));
    expect(findings).toMatchObject([
      { subject: "system", state: "missing", mend: { shell: "PowerShell", commands: ["wsl --install"] } },
    ]);
  });

  test("reports that WSL 1 has no containers", async () => {
    await full.file("proc/version", "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)");
    const machine = full.as({ env: { ...full.machine.env, WSL_DISTRO_NAME: "Debian" } });
    expect(of(await examine(machine), "system")).toMatchObject({
      state: "missing",
      found: "Debian GNU/Linux 13 (trixie) on WSL 1, arm64",
      neededFor: ["kind", "images"],
      mend: { commands: ["wsl --set-version Debian 2"] },
    });
  });
});

describe("a probe without an answer is a finding, and delays no other", () => {
  test("kills a program that hangs, with its children", async () => {
    await using full = await createFullMachine();
    const path = await full.program("kubectl", "/bin/sleep 1000 & wait");
    const probes = [kubectlProbe, inotifyProbe];
    const findings = await examine(full.as({ patience: 2000 }), { probes });
    expect(of(findings, "kubectl")).toMatchObject({
      state: "missing",
      details: [`${path} gives no answer within 2 s: skipped.`],
    });
    expect(of(findings, "inotify")?.state).toBe("ok");
  });

  test("reports a probe that never ends, and one that throws", async () => {
    await using full = await createFullMachine();
    const never: Probe = { subject: "never", neededFor: ["embedded"], look: () => new Promise(() => {}) };
    const broken: Probe = {
      subject: "broken",
      neededFor: ["kind"],
      look: async () => {
        throw new Error("no such device");
      },
    };
    const findings = await examine(full.as({ patience: 10, enginePatience: 10 }), {
      probes: [never, broken],
    });
    expect(findings).toEqual([
      { subject: "never", neededFor: ["embedded"], state: "missing", found: "no answer within 0.03 s" },
      {
        subject: "broken",
        neededFor: ["kind"],
        state: "missing",
        found: "could not be examined",
        details: ["no such device"],
      },
    ]);
  });
});
