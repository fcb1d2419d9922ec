import { readFile, writeFile } from "node:fs/promises";

/**
 * Puts lines between the two comments of a README that belong to `pnpm bench NAME`, if it has them.
 *
 * @returns whether it has
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
