import { readFileSync } from "node:fs";
import { type Area, isMap, type Json, type RequestStep, type Script } from "../script.ts";
import { served } from "../scripts/make.ts";

/** A list of all definitions shows those of other scripts. */
const isOwn = ({ path }: RequestStep): boolean => !/\/customresourcedefinitions(\?limit=500)?$/.test(path);

/** What the script of these commands is about. */
export function kubectlArea(name: string): Area {
  return name === "tutorial 01" ? "tutorial 01" : "kubectl";
}

/** What a real kubectl asked for when the commands in commands.ts were run (scripts/record-kubectl.ts). */
export function kubectlScripts(): Script[] {
  const text = readFileSync(new URL("requests.json", import.meta.url), "utf8");
  const { scripts } = JSON.parse(text) as { scripts: Record<string, RequestStep[]> };
  return Object.entries(scripts).map(([name, steps]) => ({
    name,
    area: kubectlArea(name),
    // It prefers protobuf where it can; answers are compared in the form that it takes as well.
    steps: steps
      .filter(isOwn)
      .flatMap((step) => [
        { ...step, accept: (step.accept ?? "").replace("application/vnd.kubernetes.protobuf,", "") },
        ...untilServed(step),
      ]),
  }));
}

/** A person takes a moment between two commands, in which the server comes to know a new definition. */
function untilServed({ method, path, body }: RequestStep): RequestStep[] {
  if (method !== "POST" || !path.includes("/customresourcedefinitions?") || !isMap(body)) return [];
  const { group, names, versions } = body.spec as {
    group: string;
    names: { plural: string };
    versions: Json;
  };
  const [version] = versions as { name: string }[];
  return version === undefined ? [] : served(group, version.name, names.plural);
}
