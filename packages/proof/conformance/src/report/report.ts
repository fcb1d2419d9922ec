import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "../run.ts";
import { formatOutcome, summarize } from "./terminal.ts";

/** Writes `conformance.md` and `conformance.json` into a folder: date, command, counts by area, every difference. */
export async function writeReport(
  folder: string,
  outcomes: readonly Outcome[],
  server: string,
  date: Date,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const counts = summarize(outcomes);
  const explained = outcomes.flatMap((outcome) =>
    outcome.explained.map(({ difference, known }) => ({
      script: `${outcome.script.area}: ${outcome.script.name}`,
      ...difference,
      reason: known.reason,
    })),
  );
  const unexplained = outcomes.filter((outcome) => outcome.unexplained.length > 0);
  const json = {
    date: date.toISOString(),
    command,
    server,
    counts,
    explained,
    unexplained: unexplained.map(({ script, unexplained }) => ({
      script: `${script.area}: ${script.name}`,
      differences: unexplained,
    })),
  };
  await writeFile(join(folder, "conformance.json"), `${JSON.stringify(json, null, 1)}\n`);
  await writeFile(join(folder, "conformance.md"), markdown(outcomes, server, date));
}

const command = "pnpm proof conformance";

function markdown(outcomes: readonly Outcome[], server: string, date: Date): string {
  const rows = summarize(outcomes).map(
    ({ area, scripts, requests, unexplained, explained }) =>
      `| ${area} | ${scripts} | ${requests} | ${unexplained} | ${explained} |`,
  );
  const reasons = Map.groupBy(
    outcomes.flatMap(({ script, explained }) => explained.map((entry) => ({ script, ...entry }))),
    ({ known }) => known.reason,
  );
  const unexplained = outcomes.map(formatOutcome).filter((text) => text !== "");
  return [
    "# Conformance",
    "",
    `\`${command}\` on ${date.toISOString().slice(0, 10)}: the embedded API server beside ${server}. A request counts as different`,
    "if its status, content type, warnings, body, a watch event or a Table cell differs. Uids, versions, times, generated names and",
    "addresses are compared by the order in which they appear.",
    "",
    "| Area | Scripts | Requests | Different, unexplained | Different, explained |",
    "|-|-:|-:|-:|-:|",
    ...rows,
    "",
    "## Explained differences",
    "",
    ...(reasons.size === 0 ? ["None."] : []),
    ...[...reasons].map(
      ([reason, entries]) =>
        `- ${reason} (${[...new Set(entries.map(({ script }) => `${script.area}: ${script.name}`))].join("; ")})`,
    ),
    "",
    "## Unexplained differences",
    "",
    ...(unexplained.length === 0 ? ["None."] : ["```", ...unexplained, "```"]),
    "",
  ].join("\n");
}
