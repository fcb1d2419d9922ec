import type { Finding, State } from "../finding.ts";
import { type ContextProblem, examineContext } from "../kubeconfig/context.ts";
import { readKubeconfigs } from "../kubeconfig/read.ts";
import type { Probe, Scene } from "../probe.ts";

/** Checks the kubeconfig and its contexts by their files. Sends no request, and runs no plugin. */
export const kubeconfigProbe: Probe = { subject: "kubeconfig", neededFor: ["existing"], look };

async function look({ machine }: Scene): Promise<Finding[]> {
  const { files, merged, problems } = readKubeconfigs(machine);
  const names = merged.getContexts().map(({ name }) => name);
  const current = merged.getCurrentContext();
  const seen = await Promise.all(
    names.map(async (name) => ({ name, problems: await examineContext(name, merged, machine) })),
  );
  const noteworthy = seen.filter((each) => each.name === current || each.problems.length > 0);
  // The current context first: commands without --context use it.
  noteworthy.sort((a, b) => Number(b.name === current) - Number(a.name === current));
  const contexts = noteworthy.map((each) => describe(each.name, each.problems, each.name === current));
  return [
    { ...summary(files, names, current), ...(problems.length > 0 && { details: problems }) },
    ...contexts,
  ];
}

function summary(files: readonly string[], names: readonly string[], current: string): Finding {
  const base = { subject: "kubeconfig", neededFor: kubeconfigProbe.neededFor, where: files.join(", ") };
  if (names.length === 0) {
    return {
      ...base,
      state: "missing",
      found: files.length === 0 ? "none" : "no contexts",
      mend: {
        commands: ["export KUBECONFIG=PATH-OF-YOUR-KUBECONFIG"],
        words: ["Your own cluster has one. The cluster that pnpm cluster up starts has one, too."],
      },
    };
  }
  const found = `${names.length} context${names.length === 1 ? "" : "s"}, current: ${current || "none"}`;
  if (names.includes(current)) return { ...base, state: "ok", found };
  return {
    ...base,
    state: "weak",
    found,
    mend: {
      commands: [`kubectl config use-context ${names[0]}`],
      words: ["Or name one each time, with --context."],
    },
  };
}

function describe(name: string, problems: readonly ContextProblem[], isCurrent: boolean): Finding {
  const mends = problems.flatMap(({ mend }) => (mend ? [mend] : []));
  return {
    subject: "context",
    state: stateOf(problems, isCurrent),
    found: `${name}${problems.length > 0 ? `: ${problems.map(({ short }) => short).join(", ")}` : ""}`,
    neededFor: isCurrent ? ["existing"] : [],
    ...(problems.length > 0 && { details: problems.map(({ sentence }) => `${name}: ${sentence}`) }),
    ...(mends.length > 0 && {
      mend: {
        commands: mends.flatMap(({ commands }) => commands),
        words: mends.flatMap(({ words }) => words ?? []),
      },
    }),
  };
}

/** Only the current context can be missing: the others are used only with --context. */
function stateOf(problems: readonly ContextProblem[], isCurrent: boolean): State {
  const kinds = problems.map(({ kind }) => kind);
  if (kinds.includes("broken")) return isCurrent ? "missing" : "weak";
  if (kinds.includes("risky")) return "weak";
  return kinds.length > 0 ? "note" : "ok";
}
