import type { ContainerFileSystem } from "../runtime/contracts.ts";
import type { Accounts } from "./system-tools.ts";
import type { OutputKind, Tool } from "./tool.ts";

interface Entry {
  name: string;
  type: "file" | "directory" | "link";
  mode: number;
  size: number;
  mtime: Date;
  target?: string;
}

const WIDTH = 80;

/** ls, as in BusyBox: in columns on a terminal, or else one name per line. */
export function listTool(
  output: OutputKind,
  files: ContainerFileSystem,
  readAccounts: () => Promise<Accounts>,
): Tool {
  return async (args, { cwd }) => {
    const flags = args.filter((word) => /^-[a-zA-Z0-9]/.test(word)).join("");
    const paths = args.filter((word) => !word.startsWith("-") || word === "-");
    const long = /[lno]/.test(flags);
    const all = flags.includes("a");
    const columns = output.terminal && !long && !flags.includes("1");
    const { user, group } = await readAccounts();
    let stdout = "";
    let stderr = "";

    const format = (entries: Entry[]): string => {
      if (long) return entries.map((entry) => longLine(entry, user(0) ?? "0", group(0) ?? "0")).join("");
      const names = entries.map(({ name }) => name);
      return columns ? inColumns(names) : names.map((name) => `${name}\n`).join("");
    };
    const readEntry = async (path: string, name: string, follow: boolean): Promise<Entry | undefined> => {
      const full = files.resolvePath(cwd, path);
      try {
        const stat = await (follow ? files.stat(full) : files.lstat(full));
        const type = stat.isSymbolicLink ? "link" : stat.isDirectory ? "directory" : "file";
        const entry: Entry = {
          name,
          type,
          mode: stat.mode,
          size: stat.isDirectory ? 4096 : stat.size,
          mtime: stat.mtime,
        };
        if (type === "link" && long) {
          try {
            entry.target = await files.readlink(full);
          } catch (error) {
            stderr += `ls: ${path}: cannot read link: ${reason(error)}\n`;
          }
        }
        return entry;
      } catch (error) {
        stderr += `ls: ${path}: ${reason(error)}\n`;
        return undefined;
      }
    };
    const list = async (path: string, heading: boolean): Promise<void> => {
      let names: string[];
      try {
        names = (await files.readdir(files.resolvePath(cwd, path))).sort();
      } catch (error) {
        stderr += `ls: can't open '${path}': ${reason(error)}\n`;
        return;
      }
      const shown = [
        ...(all ? [".", ".."] : []),
        ...names.filter((name) => all || flags.includes("A") || !name.startsWith(".")),
      ];
      const entries: Entry[] = [];
      for (const name of shown) {
        const entry = await readEntry(`${path.replace(/\/$/, "")}/${name}`, name, /^\.\.?$/.test(name));
        if (entry) entries.push(entry);
      }
      if (heading) stdout += `${stdout ? "\n" : ""}${path}:\n`;
      if (long)
        stdout += `total ${entries.reduce((sum, entry) => sum + Math.ceil(entry.size / 4096) * 4, 0)}\n`;
      stdout += format(entries);
      if (!flags.includes("R")) return;
      for (const entry of entries) {
        if (entry.type === "directory" && entry.name !== "." && entry.name !== "..")
          await list(`${path.replace(/\/$/, "")}/${entry.name}`, true);
      }
    };

    const singles: Entry[] = [];
    const folders: string[] = [];
    for (const path of paths.length ? paths : ["."]) {
      // Without -l, a link on the command line is followed. With a trailing slash it always is.
      const entry = await readEntry(path, path, !long || path.endsWith("/"));
      if (!entry) continue;
      if (entry.type === "directory" && !flags.includes("d")) folders.push(path);
      else singles.push(entry);
    }
    stdout += format(singles);
    for (const folder of folders)
      await list(folder, folders.length + singles.length > 1 || flags.includes("R"));
    return { stdout, stderr, exitCode: stderr ? 1 : 0 };
  };
}

function reason(error: unknown): string {
  const code = error instanceof Error ? error.message.slice(0, error.message.indexOf(":")) : "";
  return { EACCES: "Permission denied", ENOTDIR: "Not a directory" }[code] ?? "No such file or directory";
}

function longLine({ name, type, mode, size, mtime, target }: Entry, user: string, group: string): string {
  const kind = { file: "-", directory: "d", link: "l" }[type];
  const bits = [...(mode & 0o777).toString(8).padStart(3, "0")].map((digit) => {
    const n = Number(digit);
    return `${n & 4 ? "r" : "-"}${n & 2 ? "w" : "-"}${n & 1 ? "x" : "-"}`;
  });
  const [, month, day, time] =
    /^\w+ (\w+) (\d+) \d+ (\d+:\d+)/.exec(
      new Date(mtime).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+)/, "$1 $3 $2 $4"),
    ) ?? [];
  const arrow = target === undefined ? "" : ` -> ${target}`;
  return `${kind}${bits.join("")} ${String(type === "directory" ? 2 : 1).padStart(4)} ${user.padEnd(8)} ${group.padEnd(8)} ${String(size).padStart(9)} ${month} ${String(Number(day)).padStart(2)} ${time} ${name}${arrow}\n`;
}

function inColumns(names: string[]): string {
  if (names.length === 0) return "";
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const columns = Math.max(1, Math.floor(WIDTH / width));
  const rows = Math.ceil(names.length / columns);
  let text = "";
  for (let row = 0; row < rows; row++) {
    const line = [];
    for (let index = row; index < names.length; index += rows) line.push(names[index] as string);
    text += `${line.map((name, i) => (i === line.length - 1 ? name : name.padEnd(width))).join("")}\n`;
  }
  return text;
}
