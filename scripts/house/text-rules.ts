/** What must not stand in any committed text: paths of the machine it was written on. */
export interface Machine {
  /** This checkout's folder and the user's home directory, for instance. */
  readonly folders: readonly string[];
}

/** Lines of `text` that name a folder of the machine, as `file:line what`. */
export function checkMachinePaths(file: string, text: string, machine: Machine): string[] {
  const problems: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const found = machine.folders.find((folder) => namesFolder(line, folder));
    if (found) problems.push(`${file}:${index + 1} names ${found}, a folder of this machine`);
  }
  return problems;
}

/** Lines of a lockfile that name a host: a package comes from whatever registry its user has configured. */
export function checkLockfileHosts(file: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      /https?:\/\//.test(line) ? [`${file}:${index + 1} names a host: ${line.trim()}`] : [],
    );
}

/** `/me/x` is a path in the folder /me; `/proc/1/me/x` is not. */
function namesFolder(line: string, folder: string): boolean {
  for (let at = line.indexOf(folder); at !== -1; at = line.indexOf(folder, at + 1)) {
    const before = line[at - 1] ?? " ";
    const after = line[at + folder.length] ?? " ";
    if (!/[\w.\-/]/.test(before) && after === "/") return true;
  }
  return false;
}
