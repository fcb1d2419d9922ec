import type { Boundary, ConfinedProgram } from "./boundary.ts";
import { findProgram, kernelSettings, presentMounts } from "./mounts.ts";

const size = ["--size", String(64 << 20)];

const fixedOptions = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
  // In a user namespace of its own, a program would have every capability again. Versions before 0.8 reject
  // this option.
  "--disable-userns",
  // The files of the container's image name this user. Without capabilities it has no more permissions than
  // any other user.
  ...["--uid", "0", "--gid", "0", "--cap-drop", "ALL"],
  ...["--proc", "/proc", "--dev", "/dev", ...size, "--tmpfs", "/dev/shm", ...size, "--tmpfs", "/tmp"],
];

/**
 * Returns the boundary that bubblewrap provides.
 * @throws Error when bubblewrap is not installed
 */
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

function optionsOf({ cwd, env, mounts }: ConfinedProgram): string[] {
  return [
    ...fixedOptions,
    // bubblewrap makes these read-only, except when root has started it.
    ...kernelSettings().flatMap((path) => ["--ro-bind", path, path]),
    ...presentMounts(mounts).flatMap(({ path, from, writable }) => [
      writable ? "--bind" : "--ro-bind",
      from,
      path,
    ]),
    // These file systems may use half of this machine's memory, so they become read-only. The mounts below
    // them stay writable.
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", cwd, "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}
