import { hostOf, engines as kindEngines, reachEngine, type Surroundings } from "@operator-path/kind";
import type { EngineState } from "../engine.ts";
import type { Finding } from "../finding.ts";
import { installEngine } from "../mending/mend-engine.ts";
import type { Probe, Scene } from "../probe.ts";
import type { System } from "../system.ts";

const words: Readonly<Record<EngineState["status"], string>> = {
  ready: "",
  silent: "is installed, but its server does not answer",
  denied: "is installed, but rejects this user",
  hung: "hangs",
};

/** Source: https://kind.sigs.k8s.io/docs/user/known-issues/#docker-installed-with-snap */
const snap: Pick<Finding, "details" | "mend"> = {
  details: ["Docker from snap cannot access /tmp, through which kind passes images to the nodes."],
  mend: {
    commands: ["mkdir -p ~/tmp", "export TMPDIR=~/tmp"],
    manual: "https://kind.sigs.k8s.io/docs/user/known-issues/",
  },
};

/** Checks for docker, podman or nerdctl with a server that answers. */
export const engineProbe: Probe = {
  subject: "engine",
  neededFor: ["kind", "images"],
  look: async (scene) => [describe(await scene.engines, scene)],
};

function describe(engines: readonly EngineState[], { machine, system }: Scene): Finding {
  const base = { subject: "engine", neededFor: engineProbe.neededFor };
  const { env } = machine;
  const asked = env.KIND_EXPERIMENTAL_PROVIDER;
  if (asked && !kindEngines.some((name) => name === asked)) {
    const mend = {
      commands: ["unset KIND_EXPERIMENTAL_PROVIDER"],
      words: [`Or set it to one of ${kindEngines.join(", ")}.`],
    };
    return { ...base, state: "missing", found: `KIND_EXPERIMENTAL_PROVIDER is ${asked}`, mend };
  }
  const ready = engines.find(({ status }) => status === "ready");
  if (ready) {
    const host = hostOf(ready.name, env);
    const found = {
      ...base,
      found: `${ready.name} ${ready.version}${host ? `, at ${host}` : ""}`,
      where: ready.path,
    };
    return ready.path.includes("/snap/bin/") && !env.TMPDIR
      ? { ...found, state: "weak", ...snap }
      : { ...found, state: "ok" };
  }
  const [first] = engines;
  if (!first) {
    const found = asked
      ? `no ${asked}, which KIND_EXPERIMENTAL_PROVIDER names`
      : "no docker, podman or nerdctl";
    return { ...base, state: "missing", found, mend: installEngine(system) };
  }
  const { name, status, path, complaint: says } = first;
  const denied = status === "denied";
  return {
    ...base,
    state: "missing",
    found: `${name} ${words[status]}`,
    where: path,
    details: [`${path} says: ${says}`],
    mend: reachEngine({ engine: name, on: surroundings(system), denied, says, env }),
  };
}

function surroundings({ family }: System): Surroundings {
  return family === "macos" || family === "windows" || family === "wsl" ? family : "linux";
}
