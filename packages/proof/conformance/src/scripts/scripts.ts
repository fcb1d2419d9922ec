import { kubectlScripts } from "../kubectl/kubectl.ts";
import type { Script } from "../script.ts";
import { access } from "./access.ts";
import { admission } from "./admission.ts";
import { applying } from "./apply.ts";
import { applyingCustom, applyingVersions } from "./apply-custom.ts";
import { managing } from "./apply-managers.ts";
import { applyingWorkloads, migrating } from "./apply-workloads.ts";
import { badInput } from "./bad-input.ts";
import { celRules } from "./cel-rules.ts";
import { customResources } from "./custom-resources.ts";
import { deletion } from "./deletion.ts";
import { generatedApplies } from "./generated-applies.ts";
import { generatedResources } from "./generated-resources.ts";
import { generatedSchemas } from "./generated-schemas.ts";
import { listsAndWatches } from "./lists-and-watches.ts";
import { patches } from "./patches.ts";
import { rejectedDefinitions } from "./rejected-definitions.ts";
import { streams } from "./streams.ts";
import { tablesAndDiscovery } from "./tables-and-discovery.ts";
import { validation } from "./validation.ts";
import { writing } from "./writing.ts";

/** Returns every script, by area. Throws if two scripts of an area share a name. */
export function allScripts(): Script[] {
  const all = [
    ...access,
    ...admission,
    ...applying,
    ...applyingCustom,
    ...applyingVersions,
    ...applyingWorkloads,
    ...managing,
    ...migrating,
    ...badInput,
    ...customResources,
    ...celRules,
    ...rejectedDefinitions,
    ...deletion,
    ...generatedApplies,
    ...generatedSchemas,
    ...generatedResources(12, 36),
    ...kubectlScripts(),
    ...listsAndWatches,
    ...patches,
    ...streams,
    ...tablesAndDiscovery,
    ...validation,
    ...writing,
  ];
  const names = all.map(({ area, name }) => `${area}: ${name}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two scripts have the name ${twice}`);
  return all;
}
