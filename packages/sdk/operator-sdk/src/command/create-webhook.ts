import { CommandError } from "../command-error.ts";
import { kindNames, kindsOf } from "../project/kind-names.ts";
import { capitalize } from "../project/names.ts";
import {
  formatProject,
  isHelmApi,
  isOwn,
  openProject,
  type Project,
  type ProjectResource,
} from "../project/project-file.ts";
import { addToCrdPatches } from "../scaffold/kustomizations.ts";
import { insertAt } from "../scaffold/markers.ts";
import { createSuite, suite } from "../scaffold/suite.ts";
import { relativeImport, renderSet } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import { askForKind, checkTypesAreThere, commitScaffold, type KindFlags } from "./create.ts";
import type { Surroundings } from "./surroundings.ts";

export interface CreateWebhookFlags extends KindFlags {
  defaulting?: boolean;
  programmaticValidation?: boolean;
  conversion?: boolean;
  force?: boolean;
}

/**
 * Runs `operator-sdk create webhook`, which adds defaulting, validation and conversion to a kind.
 *
 * @throws CommandError if the flags or the project do not allow it; then nothing is written
 */
export async function createWebhook(flags: CreateWebhookFlags, surroundings: Surroundings): Promise<void> {
  const { cwd, stdout } = surroundings;
  const { project, tree } = openProject(cwd);
  const kind = await askForKind(flags, surroundings);
  if (!flags.defaulting && !flags.programmaticValidation && !flags.conversion) {
    throw new CommandError(
      "the type of the webhook is missing: add --defaulting, --programmatic-validation or --conversion",
    );
  }
  const isOfKind = (one: ProjectResource): boolean =>
    isOwn(one) && one.group === kind.group && one.kind === kind.kind;
  const resource = project.resources?.find((one) => isOfKind(one) && one.version === kind.version);
  if (!resource?.api) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} is not in this project: run operator-sdk create api first`,
    );
  }
  if (isHelmApi(resource)) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} is a Helm API and has no types for webhooks: validate its values in the chart's values.schema.json`,
    );
  }
  const existing = resource.webhooks;
  if (existing && !flags.force) {
    throw new CommandError(
      `${kind.group}/${kind.version}, Kind=${kind.kind} already has webhooks: --force overwrites its files with all of them, and your changes to them are lost`,
    );
  }
  // PROJECT and config already have the existing webhooks, so the new files must have them as well.
  const defaulting = (flags.defaulting || existing?.defaulting) === true;
  const validation = (flags.programmaticValidation || existing?.validation) === true;
  const conversion = (flags.conversion || existing?.conversion) === true;
  const others = (project.resources ?? []).filter((one) => isOfKind(one) && one !== resource);
  const hub = others.find(({ webhooks }) => webhooks?.conversion);
  if (conversion && hub) {
    throw new CommandError(
      `--conversion: ${kind.kind} already has the hub ${hub.version}, and can have only one: make ${kind.version} a spoke in the conversion of ${hub.version}`,
    );
  }
  const spokes = conversion ? others.map(({ version }) => version) : [];
  if (conversion && spokes.length === 0) {
    throw new CommandError(
      `--conversion: ${kind.kind} has only the version ${kind.version}: run operator-sdk create api --version … first`,
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
      // Conversions have another test file.
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

/** Adds the parts that all webhooks of a project share: the server, its Service and its certificates. */
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
  return `// The API server calls webhooks through a Service. So the operator serves them only in the cluster, where
// config/default sets POD_NAMESPACE.
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
