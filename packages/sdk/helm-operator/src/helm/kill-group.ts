/** Leaders of the process groups that run now. */
const groups = new Set<number>();

/** Whoever ends this process at once does not leave a helm at work behind it. */
function onExit(): void {
  for (const pid of groups) killGroup(pid, "SIGINT");
}

/** To be ended with this process. @returns what forgets it again */
export function endWithUs(pid: number | undefined): () => void {
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
    // It has ended by itself.
  }
}
