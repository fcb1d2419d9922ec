import type { Instruction } from "./dockerfile.ts";

/** The stages up to the wanted one, without those that it makes no use of: a stage for other tools may be of any image. */
export function wantedInstructions(all: readonly Instruction[], target: string | undefined): Instruction[] {
  const head: Instruction[] = [];
  const stages: Instruction[][] = [];
  for (const instruction of all) {
    if (instruction.keyword === "FROM") stages.push([instruction]);
    else (stages.at(-1) ?? head).push(instruction);
  }
  const names = stages.map(([first]) => /\sAS\s+(\S+)\s*$/i.exec(first?.text ?? "")?.[1]?.toLowerCase());
  const find = (name: string) => {
    const named = names.lastIndexOf(name.toLowerCase());
    return named >= 0 ? named : /^\d+$/.test(name) && Number(name) < stages.length ? Number(name) : -1;
  };
  const last = target === undefined ? stages.length - 1 : find(target);
  if (target !== undefined && last < 0)
    throw new Error(
      `there is no stage ${target}: --target names one of ${names.filter(Boolean).join(", ") || "none"}`,
    );
  const needed = new Set<number>();
  const need = (index: number) => {
    if (index < 0 || needed.has(index)) return;
    needed.add(index);
    for (const { keyword, text, flags } of stages[index] ?? []) {
      if (keyword === "FROM") need(find(text.split(/\s/)[0] ?? ""));
      if (keyword === "COPY" && flags.has("from")) need(find(flags.get("from") ?? ""));
    }
  };
  need(last);
  // A stage that is left out still counts: `--from=1` is the second one.
  return [
    ...head,
    ...stages.slice(0, last + 1).flatMap((stage, i) => (needed.has(i) ? stage : [skippedStage(stage)])),
  ];
}

function skippedStage([first]: readonly Instruction[]): Instruction {
  return { ...(first as Instruction), flags: new Map([["skipped", ""]]) };
}
