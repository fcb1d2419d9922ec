import type { ContainerFolder } from "./container-folder.ts";
import { nodeOption, withoutPermissions } from "./node-options.ts";

/**
 * Returns the options of Node's permission model for a container: access to its folder, its volumes and the
 * project's node_modules, no addons, no other programs. They stop mistakes and casual access, not an attacker
 * who finds a way around them in Node: the program is still a process of this user.
 *
 * @param options.childProcesses whether the program may start others, as tsx starts esbuild. Those are not
 *   fenced
 */
export function permissionFlags(
  folder: ContainerFolder,
  options: { preload: string; childProcesses: boolean },
): string[] {
  const reads = [folder.root, ...folder.reads, options.preload, process.execPath, ...devices];
  return [
    "--permission",
    ...reads.map((path) => `--allow-fs-read=${path}`),
    ...[...folder.writes, ...devices].map((path) => `--allow-fs-write=${path}`),
    "--allow-net",
    ...(options.childProcesses
      ? ["--allow-child-process", "--allow-addons", "--disable-warning=SecurityWarning"]
      : []),
    ...modulesOff.filter((option) => process.allowedNodeEnvironmentFlags.has(option)),
    // The learner did not ask for --allow-net, so the warning about its experimental phase is hidden.
    "--disable-warning=ExperimentalWarning",
  ];
}

/** Disables modules that open files without the permission model, and the signal that opens a debugger. */
const modulesOff = [
  "--no-experimental-sqlite",
  "--no-experimental-webstorage",
  "--no-experimental-ffi",
  "--disable-sigusr1",
];

const devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/stdout", "/dev/stderr"];

/**
 * Variables that make the dynamic linker, the C library or OpenSSL load code or open files before Node
 * applies its permission model.
 */
const loaderVariables =
  /^(?:LD_.*|DYLD_.*|OPENSSL_CONF|OPENSSL_MODULES|OPENSSL_ENGINES|GCONV_PATH|LOCPATH|GLIBC_TUNABLES)$/;

/** Variables that make Node write files or use a file descriptor. */
const nodeVariables =
  /^NODE_(?:V8_COVERAGE|REDIRECT_WARNINGS|COMPILE_CACHE|REPL_HISTORY|REPL_EXTERNAL_MODULE|ICU_DATA|CHANNEL_.*|UNIQUE_ID|TEST_.*)$/;

/** Certificates that Node and OpenSSL read without checking the permission model. */
const certificateVariables = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/;

/**
 * Returns the environment of a process without the variables that would open the fence.
 * @param args the arguments of `node`
 * @param contained returns the host's path for a container's path. Throws when a link leads out of the
 *   container
 */
export function fencedEnvironment(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  contained: (path: string) => string = (path) => path,
): Record<string, string> {
  const allowed = Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => !loaderVariables.test(name) && !nodeVariables.test(name))
      .map(([name, value]) => [name, certificateVariables.test(name) && value ? contained(value) : value]),
  );
  // NODE_OPTIONS of the environment takes precedence over that of an `--env-file`, which is not checked.
  const hasFile = args.some((word) => nodeOption(word).name.startsWith("--env-file"));
  if (env.NODE_OPTIONS === undefined && !hasFile) return allowed;
  return { ...allowed, NODE_OPTIONS: withoutPermissions(env.NODE_OPTIONS ?? "") };
}
