import { executablesOnPath } from "@operator-path/tools";
import type { Probe } from "../probe.ts";

/**
 * The Go program of the Operator Framework has the same name as the command of @operator-path/operator-sdk.
 */
export const operatorSdkProbe: Probe = {
  subject: "operator-sdk",
  neededFor: [],
  async look({ machine }) {
    const paths = await executablesOnPath("operator-sdk", machine.env);
    return paths
      .filter((path) => !path.split("/").includes("node_modules"))
      .map((path) => ({
        subject: "operator-sdk",
        state: "note",
        found: "another one is on the PATH",
        where: path,
        neededFor: [],
        details: [
          `${path} is another operator-sdk, perhaps the Operator Framework's. Nothing here uses it, and its commands differ from those in these pages.`,
        ],
      }));
  },
};
