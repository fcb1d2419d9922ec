import type { Boundary, Confined } from "./boundary.ts";
import { kernelSettings, presentMounts } from "./mounts.ts";
import { findProgram } from "./programs.ts";

const fixed = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
  // Files of the container's image name this user; without capabilities it is not more than any other.
  ...["--uid", "0", "--gid", "0", "--cap-drop", "ALL"],
  ...["--proc", "/proc", "--dev", "/dev", "--size", String(64 << 20), "--tmpfs", "/tmp"],
];

/** Confines programs with bubblewrap. @throws Error when it is not installed */
export async function bubblewrap(): Promise<Boundary> {
  const bwrap = await findProgram("bwrap");
  return {
    kind: "bubblewrap",
    command: (program, fd) => ({
      file: bwrap,
      args: ["--args", String(fd), "--", program.file, ...program.args],
      input: optionsOf(program)
        .map((word) => `${word}\0`)
        .join(""),
    }),
  };
}

function optionsOf({ cwd, env, mounts }: Confined): string[] {
  return [
    ...fixed,
    // bubblewrap does so itself, but not where root has started it.
    ...kernelSettings().flatMap((path) => ["--ro-bind", path, path]),
    ...presentMounts(mounts).flatMap(({ path, from, writable }) => [
      writable ? "--bind" : "--ro-bind",
      from,
      path,
    ]),
    ...["--chdir", cwd, "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}
