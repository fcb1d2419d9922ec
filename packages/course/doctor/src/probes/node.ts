import { delimiter, sep } from "node:path";
import { parse } from "semver";
import type { Finding } from "../finding.ts";
import { installNode } from "../mending/install-tools.ts";
import { everyPage, type Probe, type Scene } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** The minimum in package.json of the repository. */
const minimum = 20;
/** The LTS release to install if Node is missing or too old. */
const recommended = 24;

/** Checks the Node that runs the repository, and the one that runs a project. */
export const nodeProbe: Probe = {
  subject: "Node",
  neededFor: everyPage,
  look: async (scene) => [running(scene), await own(scene)],
};

function running({ machine, system }: Scene): Finding {
  const { version, path } = machine.node;
  const base = { subject: "Node", found: version, where: path, neededFor: everyPage };
  if ((parse(version)?.major ?? 0) >= minimum) return { ...base, state: "ok" };
  const details = [`It is older than ${minimum}.`];
  return { ...base, state: "missing", details, mend: installNode(system, recommended) };
}

/**
 * Checks the Node outside of the repository. pnpm puts the repository's commands first on the PATH of its
 * scripts.
 */
async function own({ machine, system }: Scene): Promise<Finding> {
  const folders = (machine.env.PATH ?? "").split(delimiter);
  const PATH = folders.filter((folder) => !folder.split(sep).includes("node_modules")).join(delimiter);
  const [first] = await versionsOnPath({ ...machine, env: { ...machine.env, PATH } }, "node", ["--version"]);
  const base = { subject: "your Node", neededFor: ["project"], where: first?.path ?? "" } as const;
  if (first?.version && first.version.major >= minimum) {
    return { ...base, state: "ok", found: first.version.version };
  }
  return {
    ...base,
    state: "missing",
    found: first ? (first.version?.version ?? first.problem ?? "") : "not on the PATH",
    details: [`An operator's project needs Node ${minimum} or newer to install the Node that it runs on.`],
    mend: installNode(system, recommended),
  };
}
