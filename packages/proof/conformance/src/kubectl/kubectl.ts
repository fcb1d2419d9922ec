import { readFileSync } from "node:fs";
import { type Area, isMap, type Json, type RequestStep, type Script } from "../script.ts";
import { served } from "../scripts/make.ts";

/** Leaves out lists of all CRDs: they show those of other scripts. */
const isOwn = ({ path }: RequestStep): boolean => !/\/customresourcedefinitions(\?limit=500)?$/.test(path);

/** Returns the area of a script of kubectl commands. */
export function kubectlArea(name: string): Area {
  return name === "tutorial 01" ? "tutorial 01" : "kubectl";
}

/** Returns the requests that a real kubectl sent for the commands in commands.ts (scripts/record-kubectl.ts). */
export function kubectlScripts(): Script[] {
  const text = readFileSync(new URL("requests.json", import.meta.url), "utf8");
  const { scripts } = JSON.parse(text) as { scripts: Record<string, RequestStep[]> };
  return Object.entries(scripts).map(([name, steps]) => ({
    name,
    area: kubectlArea(name),
    // kubectl prefers protobuf. The comparison needs the JSON that it accepts as well.
    steps: steps
      .filter(isOwn)
      .flatMap((step) => [
        { ...step, accept: (step.accept ?? "").replace("application/vnd.kubernetes.protobuf,", "") },
        ...untilServed(step),
      ]),
  }));
}

/** Waits after the creation of a CRD, as long as a person takes between two commands. */
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
