import type { ImageFile } from "../runtime/contracts.ts";

/** The simulated tools of a slim Debian image. Like the real ones, it has no `ps`. */
export const DEBIAN_TOOLS = [
  "awk",
  "base64",
  "basename",
  "cat",
  "chmod",
  "cp",
  "curl",
  "cut",
  "date",
  "diff",
  "dirname",
  "du",
  "echo",
  "env",
  "expr",
  "false",
  "find",
  "fold",
  "grep",
  "gunzip",
  "gzip",
  "head",
  "hostname",
  "id",
  "join",
  "ln",
  "ls",
  "md5sum",
  "mkdir",
  "mv",
  "nl",
  "nproc",
  "od",
  "paste",
  "printenv",
  "printf",
  "pwd",
  "readlink",
  "rm",
  "rmdir",
  "sed",
  "seq",
  "sha1sum",
  "sha256sum",
  "sleep",
  "sort",
  "split",
  "stat",
  "stty",
  "tac",
  "tail",
  "tar",
  "tee",
  "test",
  "timeout",
  "touch",
  "tr",
  "true",
  "uname",
  "uniq",
  "wc",
  "which",
  "whoami",
  "xargs",
] as const;

/** Returns the root file system of a slim Debian image with one additional account. */
export function debianFiles({
  user,
}: {
  user: { name: string; uid: number; gid: number };
}): Record<string, ImageFile> {
  const tools = Object.fromEntries(
    DEBIAN_TOOLS.map((name) => [`/usr/bin/${name}`, { content: "simulated executable\n", mode: 0o755 }]),
  );
  const shells = Object.fromEntries(
    ["/bin/sh", "/bin/bash"].map((path) => [path, { content: "simulated executable\n", mode: 0o755 }]),
  );
  return {
    ...tools,
    ...shells,
    "/etc/passwd": `root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n${user.name}:x:${user.uid}:${user.gid}:${user.name}:/nonexistent:/bin/false\n`,
    "/etc/group": `root:x:0:\nnogroup:x:65534:\n${user.name}:x:${user.gid}:\n`,
    "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux (simulated)"\nNAME="Debian GNU/Linux"\nID=debian\n',
    "/etc/debian_version": "simulated\n",
  };
}
