import { runControllerGen } from "@operator-path/controller-gen";
import { openProject } from "../project/open-project.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * `operator-sdk generate`: what `make manifests generate` makes, by this package's controller-gen.
 *
 * @returns the exit code: 1 after a line for each problem; then nothing was written
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
