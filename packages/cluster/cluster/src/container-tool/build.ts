import type { LocalImage } from "@operator-path/kubelet/local-images";
import { understoodBases } from "./base-image.ts";
import type { BuildOptions } from "./build-options.ts";
import { DockerfileError, type Instruction, parseDockerfile } from "./dockerfile.ts";
import { from } from "./from.ts";
import { toImage } from "./image.ts";
import { apply, args } from "./instructions.ts";
import type { Stage } from "./stage.ts";
import { wantedInstructions } from "./wanted-stages.ts";

/**
 * Builds an image from the copy instructions and the command of a Dockerfile. Runs none of its programs.
 *
 * @throws DockerfileError with file, line and what to do
 */
export async function build(o: BuildOptions): Promise<LocalImage> {
  const { name: file, text } = o.dockerfile;
  const instructions = parseDockerfile(text);
  const stages: Stage[] = [];
  const globals = new Map<string, string>();
  let at: Instruction | undefined;
  try {
    for (const instruction of wantedInstructions(instructions, o.target)) {
      at = instruction;
      const stage = stages.at(-1);
      if (instruction.keyword === "FROM") stages.push(await from(instruction, stages, globals, o));
      else if (stage === undefined) {
        if (instruction.keyword !== "ARG")
          throw new Error(`${instruction.keyword} comes before the first FROM`);
        for (const [name, value] of args(instruction, o, globals)) globals.set(name, value);
      } else await apply(instruction, stage, stages, globals, o);
    }
    at = undefined;
    const last = stages.at(-1);
    if (last === undefined) throw new Error("there is no FROM");
    if (last.isTools) {
      throw new Error(
        `the last stage is FROM ${last.base}, which has no Node here: begin one on ${understoodBases}, and COPY --from= what it is to have`,
      );
    }
    at = instructions.findLast(({ keyword }) => keyword === "CMD" || keyword === "ENTRYPOINT");
    return await toImage(last, o);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof DockerfileError) throw error;
    throw new DockerfileError(`${file}${at ? `:${at.line}` : ""}: ${error.message}`);
  }
}
