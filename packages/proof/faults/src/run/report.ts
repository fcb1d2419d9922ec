import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";

export interface Report {
  /** Without its ending: `faults`. */
  file: string;
  title: string;
  /** What was typed. */
  command: string;
  /** Of the two columns. */
  head: readonly [string, string];
  rows: readonly (readonly [string, string | number])[];
}

/** Writes `<folder>/<file>.md`: what was run, when, on what, and what came of it. */
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
