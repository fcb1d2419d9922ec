import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** How a project differs from one that reaches every milestone. */
export interface ShopProjectOptions {
  /** A mistake of the operator: see breakable-operator.ts. */
  readonly mistake?: string;
  /** Replaces texts in all files of the project. */
  readonly replace?: Readonly<Record<string, string>>;
}

const files: Readonly<Record<string, string>> = {
  "config/crd/kustomization.yaml": "resources: [crd.yaml]\n",
  "config/crd/crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Shop, plural: shops, singular: shop, listKind: ShopList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, required: [text], properties: {text: {type: string, minLength: 1}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`,
  "config/default/kustomization.yaml": "resources: [all.yaml]\n",
  "config/default/all.yaml": `apiVersion: v1
kind: Namespace
metadata: {name: shop-system, labels: {pod-security.kubernetes.io/enforce: restricted}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: operator, namespace: shop-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop-operator}
rules:
- {apiGroups: [example.com], resources: [shops], verbs: [list, patch]}
- {apiGroups: [example.com], resources: [shops/status], verbs: [update]}
- {apiGroups: [""], resources: [configmaps], verbs: [get, create, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop-operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop-operator}
subjects: [{kind: ServiceAccount, name: operator, namespace: shop-system}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator, namespace: shop-system}
spec:
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec:
      serviceAccountName: operator
      containers:
      - name: manager
        image: shop-operator:v1
        securityContext:
          runAsNonRoot: true
          allowPrivilegeEscalation: false
          capabilities: {drop: [ALL]}
          seccompProfile: {type: RuntimeDefault}
`,
  "capstone.yaml": `generate: "true"
run: RUN
sample:
  apiVersion: example.com/v1
  kind: Shop
  metadata: {name: tea}
  spec: {text: open}
rejects:
- spec: {text: ""}
owns:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: tea}, data: {text: open}}
change:
  patch: {spec: {text: closed}}
  owns:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: tea}, data: {text: closed}}
`,
};

/** Writes a project with an operator of Shops to a temporary folder. */
export async function createShopProject({ mistake, replace = {} }: ShopProjectOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "operator-path-shop-"));
  const program = fileURLToPath(new URL("breakable-operator.ts", import.meta.url));
  const run = [process.execPath, "--conditions=@operator-path/source", program, `'${mistake ?? ""}'`].join(
    " ",
  );
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const changed = Object.entries({ RUN: run, ...replace }).reduce(
      (all, [from, to]) => all.replace(from, to),
      text,
    );
    await writeFile(path, changed);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
