import type { EngineState } from "../engine.ts";
import type { Finding } from "../finding.ts";
import { installEngine, reachEngine } from "../mending/mend-engine.ts";
import type { Probe, Scene } from "../probe.ts";

const words: Readonly<Record<EngineState["status"], string>> = {
  ready: "",
  silent: "is there, its server does not answer",
  denied: "is there, and not for this user",
  hung: "hangs",
};

/** https://kind.sigs.k8s.io/docs/user/known-issues/#docker-installed-with-snap */
const snap: Pick<Finding, "details" | "mend"> = {
  details: ["A docker that snap installed sees no /tmp, through which kind hands images to nodes."],
  mend: {
    commands: ["mkdir -p ~/tmp", "export TMPDIR=~/tmp"],
    manual: "https://kind.sigs.k8s.io/docs/user/known-issues/",
  },
};

/** docker, podman or nerdctl, with a server that answers. */
export const engineProbe: Probe = {
  subject: "engine",
  neededFor: ["kind", "images"],
  look: async (scene) => [describe(await scene.engines, scene)],
};

function describe(engines: readonly EngineState[], { machine, system }: Scene): Finding {
  const base = { subject: "engine", neededFor: engineProbe.neededFor };
  // As kind reads it.
  const asked = machine.env.KIND_EXPERIMENTAL_PROVIDER;
  const ready = engines.find(({ name, status }) => status === "ready" && (!asked || name === asked));
  const host = machine.env.DOCKER_HOST || undefined;
  if (ready) {
    const at = ready.name === "docker" && host ? `, at ${host}` : "";
    const found = { ...base, found: `${ready.name} ${ready.version}${at}`, where: ready.path };
    return ready.path.includes("/snap/bin/") && !machine.env.TMPDIR
      ? { ...found, state: "weak", ...snap }
      : { ...found, state: "ok" };
  }
  const [first] = engines.filter(({ name }) => !asked || name === asked);
  if (!first) {
    const found = asked
      ? `no ${asked}, which KIND_EXPERIMENTAL_PROVIDER names`
      : "no docker, podman or nerdctl";
    return { ...base, state: "missing", found, mend: installEngine(system) };
  }
  const { name, status, path, complaint } = first;
  const own = name === "docker" ? host : machine.env.CONTAINER_HOST || undefined;
  return {
    ...base,
    state: "missing",
    found: `${name} ${words[status]}`,
    where: path,
    details: [`${path} says: ${complaint}`],
    mend: reachEngine(first, system, own),
  };
}
