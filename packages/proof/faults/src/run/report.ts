import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";

export interface Report {
  /** Without its extension: `faults`. */
  file: string;
  title: string;
  /** The command that was run. */
  command: string;
  /** The headings of the two columns. */
  head: readonly [string, string];
  rows: readonly (readonly [string, string | number])[];
}

/** Writes `<folder>/<file>.md`: the command, the date, the machine and the results. */
export async function writeReport(
  folder: string,
  { file, title, command, head, rows }: Report,
): Promise<void> {
  const cell = (value: string | number) => String(value).replaceAll("|", "\\|");
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "processor"}`;
  const text = `# ${title}

${new Date().toISOString().slice(0, 10)}, \`${command}\`, Node ${process.versions.node}, ${processor}.

|${head.join("|")}|
|-|-|
${rows.map((row) => `|${row.map(cell).join("|")}|`).join("\n")}
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${file}.md`), text);
}
