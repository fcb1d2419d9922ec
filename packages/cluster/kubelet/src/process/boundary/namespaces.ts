import { dirname, join } from "node:path";
import type { Boundary, ConfinedProgram, Mount } from "./boundary.ts";
import { findProgram, kernelSettings, librariesOf, lockedOptions, presentMounts } from "./mounts.ts";

/**
 * Where the new root is assembled, in a private mount namespace. A confined program has no /sys, so nothing
 * below it must stay visible.
 */
const newRoot = "/sys";

const toolNames = [
  ...(["sh", "cat", "env", "mkdir", "cp"] as const),
  ...(["mount", "umount", "pivot_root", "setpriv", "unshare"] as const),
];

/** The tools' absolute paths. */
type Tools = Readonly<Record<(typeof toolNames)[number], string>>;

const devices = ["null", "zero", "full", "random", "urandom"];

/** Variables that a shell refuses to set or changes itself. */
const shellVariables =
  /^(?:BASH.*|SHELLOPTS|E?UID|PPID|GROUPS|DIRSTACK|FUNCNAME|PIPESTATUS|HIST.*|LINENO|OPTIND|RANDOM|SRANDOM|SECONDS|EPOCH.*|COMP_.*|_)$/;

/**
 * Returns the boundary that Linux namespaces provide, through the tools of util-linux. A shell assembles the
 * new root and becomes the first process of the PID namespace: it reaps orphaned processes, and they end with
 * it.
 *
 * @throws Error when a tool is not installed
 */
export async function namespaces(): Promise<Boundary> {
  const paths = await Promise.all(toolNames.map(findProgram));
  const tools = Object.fromEntries(toolNames.map((name, i) => [name, paths[i]])) as Tools;
  // These run after the machine's files are out of sight.
  const inside = [tools.umount, tools.setpriv, tools.env];
  const libraries = (await Promise.all(inside.map(librariesOf))).flat();
  const toolMounts = [...inside, ...libraries].map((path) => ({ path }));
  const flags =
    "--user --map-root-user --mount --pid --ipc --uts --fork --kill-child --propagation private".split(" ");
  return {
    kind: "namespaces",
    command: (program, fd) => ({
      file: tools.unshare,
      // node:child_process passes sockets as descriptors, which a shell can read but not open.
      args: [...flags, tools.sh, "-c", `script=$(${tools.cat} <&${fd}) && exec ${fd}<&- && eval "$script"`],
      input: scriptOf({ ...program, mounts: [...toolMounts, ...program.mounts] }, tools),
    }),
  };
}

function scriptOf(program: ConfinedProgram, tools: Tools): string {
  const { file, args, cwd, env } = program;
  const devicePaths: Mount[] = devices.map((name) => ({ path: `/dev/${name}`, writable: true }));
  const mounts = presentMounts([...program.mounts, ...devicePaths]);
  const files = mounts.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const folders = new Set([
    ...["/old", "/proc", "/tmp", "/dev"],
    ...mounts.filter(({ isFolder }) => isFolder).map(({ path }) => path),
    ...files.map((path) => dirname(path)),
  ]);
  const table = [
    line("proc", "/proc", "proc", "nosuid,nodev,noexec"),
    ...kernelSettings().map((path) => line(join(newRoot, path), path, "none", "bind,ro")),
    ...mounts.map(({ path, from, writable }) =>
      line(from, path, "none", writable ? "bind" : ["bind", "ro", ...lockedOptions(from)].join(",")),
    ),
  ];
  // Other variables appear in the command line of `env` for a moment, until it has started the program.
  const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !shellVariables.test(name);
  const variables = Object.entries(env);
  const named = variables.filter(([name]) => isName(name));
  const otherVariables = variables
    .filter(([name]) => !isName(name))
    .map(([name, value]) => `${name}=${value}`);
  return [
    "set -e",
    // The limit for this user namespace: in one of its own, a program would have every capability again.
    // Later this file is read-only.
    "echo 0 > /proc/sys/user/max_user_namespaces",
    `${tools.mount} -t tmpfs -o size=64m,mode=755,nosuid,nodev none ${newRoot}`,
    `cd ${newRoot}`,
    command(tools.mkdir, "-p", ...[...folders].map((path) => `.${path}`)),
    ...files.map((path) => `: > ${quote(`.${path}`)}`),
    // Links into /proc/self.
    `${tools.cp} -P /dev/fd /dev/stdin /dev/stdout /dev/stderr dev`,
    `printf '%s\\n' ${quote(table.join("\n"))} > fstab`,
    `${tools.mount} -a -T ${newRoot}/fstab`,
    ": > fstab",
    `${tools.pivot_root} . old`,
    `${tools.umount} -l /old`,
    command("cd", cwd),
    "set +e",
    "unset OLDPWD PWD",
    // From here on the shell finds no program by name, and starts only this one.
    ...named.map(([name, value]) => `export ${name}=${quote(value)}`),
    // The shell would report that a signal has ended the program, on the program's standard error.
    "exec 9>&2 2> /dev/null",
    `${command(
      tools.setpriv,
      ...["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--"],
      ...(otherVariables.length > 0 ? [tools.env, ...otherVariables] : []),
      ...[file, ...args],
    )} 2>&9 9>&-`,
    "exit $?",
  ].join("\n");
}

/** Returns a line of an fstab. */
function line(from: string, path: string, type: string, options: string): string {
  const escaped = (text: string) =>
    text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `${escaped(from)} ${escaped(newRoot + path)} ${type} ${options} 0 0`;
}

function command(...words: string[]): string {
  return words.map(quote).join(" ");
}

/** Quotes one word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
