import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { BuildOptions } from "./build-options.ts";
import type { Instruction } from "./dockerfile.ts";
import { modulesLink } from "./host-tree.ts";
import { originOf, type Stage } from "./stage.ts";

/** What a RUN instruction does, as far as its words tell. */
export type RunKind = "install" | "other";

const install =
  /(?:^|[\s;&(])(?:npm\s+(?:ci|i|install|clean-install)|pnpm\s+(?:i|install|fetch|deploy)|yarn(?:\s+install|\s+--\S+)?)(?=[\s;&)]|$)/;

/** An install that is not global fills node_modules; everything else is "other". */
export function runKind(text: string): RunKind {
  return text
    .split(/&&|;|\n/)
    .some((command) => install.test(`${command.trim()} `) && !/\s(?:-g|--global)\b/.test(command))
    ? "install"
    : "other";
}

/**
 * RUN is never run. An install of packages has them already: the project's own node_modules.
 * @throws Error when the project has none
 */
export function run(instruction: Instruction, stage: Stage, o: BuildOptions): void {
  const text = (instruction.json?.join(" ") ?? instruction.text).replace(/\s+/g, " ");
  const line = text.length > 70 ? `${text.slice(0, 67)}...` : text;
  stage.skipped.push({ line: instruction.line, text: line });
  const folder = stage.config.workingDir ?? "/";
  const origin = originOf(stage, folder);
  if (runKind(text) === "other" || origin === undefined) {
    o.say(`RUN ${line}: skipped, nothing in a Dockerfile is run`);
    return;
  }
  const modules = join(origin, "node_modules");
  if (!existsSync(modules)) {
    const project = relative(process.cwd(), origin) || ".";
    throw new Error(
      `RUN ${line} is skipped here, and ${modules} is not there to be used instead: install the packages in ${project} first`,
    );
  }
  stage.entries.set(posix.join(folder, "node_modules"), modulesLink(modules));
  o.say(`RUN ${line}: skipped, the project's node_modules are used as they are`);
}
