/** The leaders of the process groups that are running. */
const groups = new Set<number>();

/** Stops the running helm processes when this process exits at once. */
function onExit(): void {
  for (const pid of groups) killGroup(pid, "SIGINT");
}

/** Stops a process group when this process exits. @returns a function that cancels this */
export function killOnExit(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (groups.size === 0) process.on("exit", onExit);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off("exit", onExit);
  };
}

export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
