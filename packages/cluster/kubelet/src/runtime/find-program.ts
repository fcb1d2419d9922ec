import { posix } from "node:path";
import type { Container, Program } from "./contracts.ts";
import { StartError } from "./errors.ts";

const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Finds a program as runc does: by its path, or by searching PATH for a name.
 * @throws StartError
 */
export async function findProgram(container: Container, command: string): Promise<Program> {
  const { env, workingDir } = container.config;
  if (command.includes("/")) {
    const path = posix.resolve(workingDir, command);
    const program = imageProgram(container, path) ?? (await scriptProgram(container, path));
    if (program) return program;
    throw new StartError(`exec: "${command}": stat ${command}: no such file or directory`);
  }
  for (const directory of (env.PATH ?? DEFAULT_PATH).split(":")) {
    const program =
      imageProgram(container, `${directory}/${command}`) ??
      (await scriptProgram(container, `${directory}/${command}`));
    if (program) return program;
  }
  throw new StartError(`exec: "${command}": executable file not found in $PATH`);
}

/** Returns the behaviour of an executable that belongs to the image. */
function imageProgram(container: Container, path: string): Program | undefined {
  const { image, runShell, runTool } = container.config;
  const own = image.programs[path] ?? image.findProgram?.(container, path);
  if (own) return own;
  const { shell } = image;
  if (!shell) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isShell = shell.paths.includes(path);
  if (!isShell && (path !== `${shell.toolDirectory}/${name}` || !shell.tools.includes(name)))
    return undefined;
  return isShell ? runShell : runTool;
}

/** Finds the interpreter of a script that does not belong to the image, such as a file of a ConfigMap. */
async function scriptProgram(container: Container, path: string): Promise<Program | undefined> {
  // Without a shell there is no interpreter. Without mounts there are no further files, so the file system
  // need not be created.
  if (!container.config.image.shell && container.config.mounts.length === 0) return undefined;
  const files = await container.filesystem();
  const stat = await files.stat(path).catch(() => undefined);
  if (!stat) return undefined;
  if (stat.isDirectory) throw new StartError(`exec: "${path}": is a directory`);
  if ((stat.mode & 0o111) === 0) throw new StartError(`exec: "${path}": permission denied`);
  const interpreter = /^#!\s*(\S+)(?:\s+(\S+))?/.exec(await files.readFile(path));
  if (!interpreter?.[1]) throw new StartError(`exec ${path}: exec format error`);
  const [, file, argument] = interpreter;
  const program = imageProgram(container, file);
  if (!program) throw new StartError(`exec ${path}: no such file or directory`);
  return (context) =>
    program({ ...context, argv: [file, ...(argument ? [argument] : []), path, ...context.argv.slice(1)] });
}
