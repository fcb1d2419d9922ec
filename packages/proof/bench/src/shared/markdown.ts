import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";

/** Returns a Markdown table, padded so that it reads well as text too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)];
}

/** Returns the machine that figures belong to, in one line. */
export function machine(): string {
  const [cpu] = cpus();
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  return `Node ${process.versions.node} with NODE_ENV=production, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}, ${gib} GiB.`;
}

/**
 * Replaces the lines between the two comments `pnpm bench NAME` of a README.
 *
 * @returns whether the README has these comments
 */
export async function updateBlock(file: string, name: string, lines: readonly string[]): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  const [begin, end] = ["begin", "end"].map((which) => `<!-- pnpm bench ${name}: ${which} -->`) as [
    string,
    string,
  ];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return false;
  await writeFile(file, `${text.slice(0, from)}${begin}\n${lines.join("\n")}\n${text.slice(to)}`);
  return true;
}
