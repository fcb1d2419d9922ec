import { CommandError } from "../command-error.ts";
import { kindNames, kindsOf } from "../project/kind-names.ts";
import { capitalize } from "../project/names.ts";
import { openProject } from "../project/open-project.ts";
import {
  formatProject,
  isHelmApi,
  isOwn,
  type Project,
  type ProjectResource,
} from "../project/project-file.ts";
import { relativeImport } from "../scaffold/imports.ts";
import { addToCrdPatches } from "../scaffold/kustomizations.ts";
import { insertAt } from "../scaffold/markers.ts";
import { createSuite, suite } from "../scaffold/suite.ts";
import { renderSet } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import { askForKind, checkTypesAreThere, type KindFlags } from "./ask-for-kind.ts";
import { commitScaffold } from "./commit-scaffold.ts";
import type { Surroundings } from "./surroundings.ts";

export interface CreateWebhookFlags extends KindFlags {
  defaulting?: boolean;
  programmaticValidation?: boolean;
  conversion?: boolean;
  force?: boolean;
}

/** `operator-sdk create webhook`: defaults, rules, conversion of a kind. */
export async function createWebhook(flags: CreateWebhookFlags, surroundings: Surroundings): Promise<void> {
  const { cwd, stdout } = surroundings;
  const { project, tree } = openProject(cwd);
  const kind = await askForKind(flags, surroundings);
  if (!flags.defaulting && !flags.programmaticValidation && !flags.conversion) {
    throw new CommandError(
      "say what the webhook is for: --defaulting, --programmatic-validation, --conversion",
    );
  }
  const isOfKind = (one: ProjectResource): boolean =>
    isOwn(one) && one.group === kind.group && one.kind === kind.kind;
  const resource = project.resources?.find((one) => isOfKind(one) && one.version === kind.version);
  if (!resource?.api) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} is not in this project: operator-sdk create api first`,
    );
  }
  if (isHelmApi(resource)) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} is a Helm API, and has no types that webhooks could read: say what its values may be in the chart's values.schema.json`,
    );
  }
  const had = resource.webhooks;
  if (had && !flags.force) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} has webhooks already: --force writes its files anew with all of them, and what you wrote in them is lost`,
    );
  }
  // What the files had they have again, since PROJECT and config say so.
  const defaulting = (flags.defaulting || had?.defaulting) === true;
  const validation = (flags.programmaticValidation || had?.validation) === true;
  const conversion = (flags.conversion || had?.conversion) === true;
  const others = (project.resources ?? []).filter((one) => isOfKind(one) && one !== resource);
  const hub = others.find(({ webhooks }) => webhooks?.conversion);
  if (conversion && hub) {
    throw new CommandError(
      `--conversion: ${hub.version} is the hub of ${kind.kind} already, and there is one: make ${kind.version} a spoke in its conversion`,
    );
  }
  const spokes = conversion ? others.map(({ version }) => version) : [];
  if (conversion && spokes.length === 0) {
    throw new CommandError(
      `--conversion: ${kind.kind} has no other version than ${kind.version}: operator-sdk create api --version … first`,
    );
  }

  const names = kindNames(project, kind);
  checkTypesAreThere(tree, names);
  const admission = defaulting || validation;
  const view = {
    ...names,
    ...{ defaulting, validation, conversion, admission, spokes },
    object: names.variable === "before" ? "after" : names.variable,
    namespaced: resource.api.namespaced === true,
    projectName: project.projectName,
    suiteImport: relativeImport(names.apiFolder, suite),
    webhookPath: `${names.fullGroup.replaceAll(".", "-")}-${names.version}-${names.kindLower}`,
  };
  for (const set of ["webhook-of-kind", ...(conversion ? ["conversion"] : [])]) {
    for (const { path, text } of renderSet(set, view)) {
      // A conversion has a test of its own.
      if (path.endsWith(".webhook.test.ts") && !admission) continue;
      tree.create(path, text, { overwrite: flags.force === true });
    }
  }
  createSuite(tree, kindsOf(project), project.projectName);
  addServer(tree, project);
  if (admission) insertAt(tree, "config/webhook/kustomization.yaml", "resources", "- manifests.yaml");
  if (conversion) addConversion(tree, `${names.plural}.${names.fullGroup}`, names.roleFile);
  const setup = `setup${kind.kind}${capitalize(kind.version)}Webhook${names.ofGroup}`;
  const file = `../${names.apiFolder}/${names.kindLower}.webhook.ts`;
  insertAt(tree, "src/main.ts", "imports", `import { setupWebhookWithManager as ${setup} } from "${file}";`);
  insertAt(tree, "src/main.ts", "webhooks", `${setup}(manager);`);

  resource.webhooks = {
    ...resource.webhooks,
    ...(conversion && { conversion: true, spoke: spokes }),
    ...(defaulting && { defaulting: true }),
    ...(validation && { validation: true }),
    webhookVersion: "v1",
  };
  tree.edit("PROJECT", () => formatProject(project));
  commitScaffold(tree, surroundings, { kustomize: true });
  stdout("Next: implement your new Webhook and generate the manifests with:\n$ make manifests\n");
}

/** What all webhooks of a project share: the server, its Service, its certificates. */
function addServer(tree: Tree, { projectName }: Project): void {
  for (const { path, text } of renderSet("webhook", { projectName })) {
    if (tree.read(path) === undefined) tree.create(path, text);
  }
  insertAt(tree, "config/default/kustomization.yaml", "resources", "- ../webhook");
  const patch = "- path: manager_webhook_patch.yaml\n  target:\n    kind: Deployment";
  insertAt(tree, "config/default/kustomization.yaml", "patches", patch);
  insertAt(tree, "config/network-policy/kustomization.yaml", "resources", "- allow-webhook-traffic.yaml");
  const roles = "- webhook_certificates_role.yaml\n- webhook_certificates_role_binding.yaml";
  insertAt(tree, "config/rbac/kustomization.yaml", "resources", roles);
  if (tree.read("src/main.ts")?.includes("+kubebuilder:scaffold:webhooks")) return;
  insertAt(tree, "src/main.ts", "manager", serverOption(projectName));
  insertAt(tree, "src/main.ts", "builder", serverSetup);
}

function addConversion(tree: Tree, definition: string, file: string): void {
  insertAt(tree, "src/main.ts", "conversion", `"${definition}",`);
  addToCrdPatches(tree, `webhook_in_${file}.yaml`, definition);
  insertAt(
    tree,
    "config/rbac/webhook_certificates_role.yaml",
    "conversion",
    `- apiGroups:
  - apiextensions.k8s.io
  resourceNames:
  - ${definition}
  resources:
  - customresourcedefinitions
  verbs:
  - get
  - patch`,
  );
}

function serverOption(projectName: string): string {
  return `// The API server calls webhooks through a Service, so they are served in the cluster only: config/default says
// POD_NAMESPACE there.
...(process.env.POD_NAMESPACE !== undefined && {
  webhookServer: {
    issueCertificates: {
      secret: { namespace: process.env.POD_NAMESPACE, name: "${projectName}-webhook-certificates" },
      service: { name: "${projectName}-webhook-service" },
      inject: {
        mutatingWebhookConfigurations: ["${projectName}-mutating-webhook-configuration"],
        validatingWebhookConfigurations: ["${projectName}-validating-webhook-configuration"],
        customResourceDefinitions: [
          // +kubebuilder:scaffold:conversion
        ],
      },
    },
  },
}),`;
}

const serverSetup = `
if (process.env.POD_NAMESPACE !== undefined) {
  // +kubebuilder:scaffold:webhooks
  manager.addReadyzCheck("webhook", manager.webhookServer.startedChecker);
}`;
