import { executablesOnPath } from "@operator-path/tools";
import type { Finding } from "../finding.ts";
import { installNode } from "../mending/install-tools.ts";
import { everyPage, type Probe } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** The version of packageManager in package.json. */
const major = 12;

/** Checks for pnpm, or for npx, which downloads it. */
export const pnpmProbe: Probe = {
  subject: "pnpm",
  neededFor: [...everyPage, "project"],
  async look({ machine, system }) {
    const base = { subject: "pnpm", neededFor: this.neededFor } as const;
    const [onPath] = await versionsOnPath(machine, "pnpm", ["--version"]);
    if (onPath?.version && onPath.version.major >= major) {
      return [{ ...base, state: "ok", found: onPath.version.version, where: onPath.path }];
    }
    const [npx] = await executablesOnPath("npx", machine.env);
    const old: Pick<Finding, "details"> = onPath
      ? {
          details: [
            `${onPath.path} ${onPath.version ? `is ${onPath.version}` : onPath.problem}: use npx --yes pnpm@${major}.`,
          ],
        }
      : {};
    const mend = { commands: [`npm install --global pnpm@${major}`], manual: "https://pnpm.io/installation" };
    if (npx !== undefined) {
      const found = `with npx --yes pnpm@${major}`;
      return [{ ...base, state: onPath ? "weak" : "ok", found, where: npx, ...old, ...(onPath && { mend }) }];
    }
    const running = /^pnpm\/(\S+)/.exec(machine.env.npm_config_user_agent ?? "")?.[1];
    const found = running ? `${running}, not on the PATH` : "neither pnpm nor npx";
    // npm and npx come with Node.
    return [{ ...base, state: "missing", found, ...old, mend: installNode(system, 24) }];
  },
};
