import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Answer, Script } from "./script.ts";

const folder = join(import.meta.dirname, "../answers");
const fileOf = (area: string): string => join(folder, `${area.replaceAll(" ", "-")}.json.gz`);

/** Recorded answers of a real server, by the name of the script. */
type Recorded = { server: string; answers: Record<string, readonly Answer[]> };

/** Reads the recorded answers to `scripts`. A script that was not recorded has no answers. */
export async function readAnswers(
  scripts: readonly Script[],
): Promise<{ server: string; answersOf(script: Script): Promise<readonly Answer[] | undefined> }> {
  const areas = new Map<string, Recorded>();
  for (const area of new Set(scripts.map((script) => script.area))) {
    const bytes = await readFile(fileOf(area)).catch(() => undefined);
    if (bytes) areas.set(area, JSON.parse((await promisify(gunzip)(bytes)).toString()) as Recorded);
  }
  const servers = new Set([...areas.values()].map(({ server }) => server));
  return {
    server: [...servers].join(", ") || "an unknown server",
    answersOf: async (script) => areas.get(script.area)?.answers[script.name],
  };
}

/** Replaces the recorded answers of whole areas. */
export async function writeAnswers(
  server: string,
  answers: ReadonlyMap<Script, readonly Answer[]>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const areas = Map.groupBy(answers.keys(), (script) => script.area);
  for (const [area, scripts] of areas) {
    const sorted = scripts.sort((a, b) => (a.name < b.name ? -1 : 1));
    const recorded: Recorded = {
      server,
      answers: Object.fromEntries(sorted.map((script) => [script.name, answers.get(script) ?? []])),
    };
    await writeFile(fileOf(area), await promisify(gzip)(JSON.stringify(recorded), { level: 9 }));
  }
}
