import { runControllerGen } from "@operator-path/controller-gen";
import { openProject } from "../project/project-file.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs `operator-sdk generate`, which generates the same files as `make manifests generate`, with this
 * package's own controller-gen.
 *
 * @returns the exit code: 0, or 1 after a line for each problem; no file is written then
 */
export function generate({ cwd, stdout, stderr }: Surroundings): number {
  openProject(cwd);
  return runControllerGen(
    [
      ...["rbac:roleName=manager-role", "crd", "webhook", "object:headerFile=hack/boilerplate.txt"],
      ...["paths=./...", "output:crd:artifacts:config=config/crd/bases"],
    ],
    { cwd, stdout, stderr },
  );
}
