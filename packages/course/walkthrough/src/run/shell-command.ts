/** Text of a shell script that is a command with its first arguments, and hands on those that it is given. */
export function shellCommand(command: readonly string[]): string {
  return `#!/bin/sh\nexec ${command.map(quote).join(" ")} "$@"\n`;
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
