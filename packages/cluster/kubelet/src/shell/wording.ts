/**
 * Rewrites just-bash's messages, which are bash's, in the wording of the image's shell.
 * @param shell the name by which the shell was called
 */
export function inShellWording(flavour: "busybox" | "bash", shell: string, stderr: string): string {
  if (flavour === "bash" && /bash$/.test(shell)) return stderr;
  return stderr
    .split("\n")
    .map((line) => {
      const failure = /^(\w+): (?:cannot|can't) (\w+)(.*?) '([^']+)': (?:E\w+: )?([^,]+)/.exec(line);
      if (failure && flavour === "busybox") return busyboxMessage(failure);
      const message = /^bash: (?:line \d+: )?(.*)$/.exec(line)?.[1];
      if (message === undefined) return line;
      const missing = /^(.*): command not found$/.exec(message)?.[1];
      const where = flavour === "bash" ? `${shell}: 1` : shell;
      if (missing !== undefined) return `${where}: ${missing}: not found`;
      const path = /^(\/\S*): No such file or directory$/.exec(message)?.[1];
      if (path !== undefined) return `${where}: ${path}: not found`;
      const directory = /^cd: (.*): (.*)$/.exec(message);
      if (directory) return `${where}: cd: can't cd to ${directory[1]}: ${directory[2]}`;
      const refused = /^(\/\S*): (Permission denied|Read-only file system|Is a directory)$/.exec(message);
      if (refused) return `${where}: can't create ${refused[1]}: ${refused[2]}`;
      if (message.startsWith("syntax error"))
        return `${where}: ${message.replace(/Parse error at \d+:\d+: /, "")}`;
      return `${where}: ${message}`;
    })
    .join("\n");
}

/**
 * Returns `mkdir: cannot create directory '/x': EACCES: permission denied, '/x'` in the wording of BusyBox.
 */
function busyboxMessage([, tool, verb, what = "", path, why = ""]: RegExpExecArray): string {
  const reason = why.charAt(0).toUpperCase() + why.slice(1);
  if (tool === "touch") return `touch: ${path}: ${reason}`;
  return `${tool}: can't ${verb}${what} '${path}': ${reason}`;
}
