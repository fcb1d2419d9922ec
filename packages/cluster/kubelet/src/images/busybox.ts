import type { ImageFile, SimulatedImage } from "../runtime/contracts.ts";

/** The simulated applets. Any other gets `not found`, as in a smaller BusyBox. */
export const BUSYBOX_TOOLS = [
  "[",
  "arch",
  "ash",
  "awk",
  "base64",
  "basename",
  "busybox",
  "cat",
  "chmod",
  "clear",
  "cp",
  "cut",
  "date",
  "diff",
  "dirname",
  "du",
  "echo",
  "egrep",
  "env",
  "expand",
  "expr",
  "false",
  "fgrep",
  "find",
  "fold",
  "free",
  "grep",
  "gunzip",
  "gzip",
  "head",
  "hostname",
  "id",
  "kill",
  "ln",
  "ls",
  "md5sum",
  "mkdir",
  "mv",
  "nc",
  "nl",
  "nproc",
  "nslookup",
  "od",
  "paste",
  "printenv",
  "printf",
  "ps",
  "pwd",
  "readlink",
  "rev",
  "rm",
  "rmdir",
  "sed",
  "seq",
  "sh",
  "sha1sum",
  "sha256sum",
  "sleep",
  "sort",
  "split",
  "stat",
  "strings",
  "stty",
  "tac",
  "tail",
  "tar",
  "tee",
  "test",
  "timeout",
  "touch",
  "tr",
  "tree",
  "true",
  "uname",
  "unexpand",
  "uniq",
  "uptime",
  "wc",
  "wget",
  "which",
  "whoami",
  "xargs",
  "zcat",
] as const;

/** Returns the files that BusyBox-based images share. */
export function busyboxFiles(): Record<string, ImageFile> {
  return {
    ...Object.fromEntries(
      BUSYBOX_TOOLS.map((name) => [`/bin/${name}`, { content: "simulated executable\n", mode: 0o755 }]),
    ),
    "/etc/passwd":
      "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/false\nwww-data:x:33:33:www-data:/var/www:/bin/false\nnobody:x:65534:65534:nobody:/home:/bin/false\n",
    "/etc/group": "root:x:0:\ndaemon:x:1:\nwww-data:x:33:\nnogroup:x:65534:\n",
    "/etc/shadow": { content: "root:*:::::::\n", mode: 0o640 },
  };
}

/** busybox of any tag: a shell and small tools. */
export const busybox: SimulatedImage = {
  repository: "docker.io/library/busybox",
  tags: "any",
  config: { cmd: ["sh"] },
  files: () => busyboxFiles(),
  programs: {},
  shell: { flavour: "busybox", paths: ["/bin/sh", "/bin/ash"], tools: BUSYBOX_TOOLS, toolDirectory: "/bin" },
};

/**
 * alpine of any tag: BusyBox under another name. It has no package manager, because it could download
 * nothing.
 */
export const alpine: SimulatedImage = {
  repository: "docker.io/library/alpine",
  tags: "any",
  config: { cmd: ["/bin/sh"] },
  files: (tag) => {
    const version = /^\d+(\.\d+)*/.exec(tag)?.[0];
    return {
      ...busyboxFiles(),
      "/etc/os-release": `NAME="Alpine Linux"\nID=alpine\n${version ? `VERSION_ID=${version}\nPRETTY_NAME="Alpine Linux v${version} (simulated)"` : 'PRETTY_NAME="Alpine Linux (simulated)"'}\nHOME_URL="https://alpinelinux.org/"\n`,
      ...(version ? { "/etc/alpine-release": `${version}\n` } : {}),
    };
  },
  programs: {},
  shell: { flavour: "busybox", paths: ["/bin/sh", "/bin/ash"], tools: BUSYBOX_TOOLS, toolDirectory: "/bin" },
};
