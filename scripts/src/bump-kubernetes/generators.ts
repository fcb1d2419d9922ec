/** A command that writes files again for another version of Kubernetes. */
export interface Generator {
  /** The command and its arguments, without a shell. */
  readonly command: readonly string[];
  /** The folder to run in, from the root. */
  readonly in: string;
  /** Globs of the files that it writes, from the root. */
  readonly writes: readonly string[];
  /** What must be there beforehand, for a person. Without it, `bump-kubernetes` runs the generator. */
  readonly needs?: string;
  /** For a generator that exits with 1 when it finds differences: the beginning of the lines that name them. */
  readonly findings?: string;
}

const node = ["node_modules/.bin/node", "--conditions=@operator-path/source"];
const apiserver = "packages/cluster/apiserver";
const controllerGen = "packages/sdk/controller-gen";
const testdata = `${controllerGen}/src/testing/testdata`;
const generated = `${apiserver}/src/generated`;
const bare = "a kube-apiserver in its default settings without controllers; its kubeconfig in $KUBECONFIG";

/**
 * Returns all generators, in the order to run them.
 *
 * @param goModules the folders of the modules that keep a go.sum, from the root
 * @param version the version of Kubernetes to move to
 * @param moduleCache Go's module cache
 */
export function generators(goModules: readonly string[], version: string, moduleCache: string): Generator[] {
  const modules = ["api", "apimachinery", "apiextensions-apiserver"].map(
    (name) => `k8s.io/${name}@v0${version.slice(1)}`,
  );
  return [
    {
      command: ["npx", "--yes", "pnpm@12", "install", "--lockfile-only", "--prefer-offline"],
      ...{ in: ".", writes: ["pnpm-lock.yaml"] },
    },
    ...goModules.map((folder) => ({
      command: ["go", "mod", "tidy"],
      ...{ in: folder, writes: [`${folder}/go.mod`, `${folder}/go.sum`] },
    })),
    {
      command: ["go", "mod", "download", ...modules],
      in: `${controllerGen}/scripts/kubernetes-types`,
      writes: [],
    },
    {
      command: [...node, `${apiserver}/scripts/generate-omitted-zeros.ts`, "--modules", moduleCache],
      ...{ in: ".", writes: [`${generated}/omitted-zeros.ts`] },
    },
    {
      command: [...node, `${apiserver}/scripts/generate-protobuf.ts`],
      ...{ in: ".", writes: [`${generated}/protobuf.ts`] },
    },
    {
      command: [...node, `${controllerGen}/scripts/generate-kubernetes-types.ts`],
      ...{
        in: ".",
        writes: [`${controllerGen}/data/kubernetes-types.json.br`, `${controllerGen}/src/generated/types.ts`],
      },
    },
    // Resource modules embed Kubernetes' types.
    ...["cronjob", "embedded", "enums", "inheritance", "lists", "memcached", "rules"].map((name) => ({
      command: [
        `../../../../../../${node[0]}`,
        ...node.slice(1),
        "../../main.ts",
        "object",
        `paths=./${name}/...`,
      ],
      ...{ in: testdata, writes: [`${testdata}/${name}/**`] },
    })),
    {
      command: [...node, `${controllerGen}/scripts/generate-plural-rules.ts`],
      ...{ in: ".", writes: [`${controllerGen}/src/generated/plural-rules.ts`] },
    },
    {
      command: [...node, `${controllerGen}/scripts/compare-with-go.ts`, "--record"],
      ...{
        in: ".",
        writes: [`${controllerGen}/src/testing/testdata/**/generated/**`],
        findings: "DIFFERENT",
      },
    },
    {
      command: [...node, "packages/sdk/client/scripts/generate-types.ts"],
      ...{ in: ".", writes: ["packages/sdk/client/src/generated/kubernetes-types.ts"] },
      needs:
        "an @kubernetes/client-node with the models of this version, in the catalog of pnpm-workspace.yaml",
    },
    {
      command: [...node, `${apiserver}/scripts/generate-types.ts`, "--kubeconfig", "$KUBECONFIG"],
      ...{ in: ".", writes: [`${generated}/kubernetes.ts`] },
      needs: bare,
    },
    {
      command: [...node, `${apiserver}/scripts/generate-policy.ts`, "--kubeconfig", "$KUBECONFIG"],
      ...{ in: ".", writes: [`${generated}/policy.ts`] },
      needs:
        "a fresh kube-apiserver in its default settings with its kube-controller-manager; its kubeconfig in $KUBECONFIG",
    },
    {
      command: [...node, `${apiserver}/scripts/record-answers.ts`, "--kubeconfig", "$KUBECONFIG"],
      ...{ in: ".", writes: [`${apiserver}/src/testing/recorded/generated/**`] },
      needs: `${bare}; for --only access with the admission plugin OwnerReferencesPermissionEnforcement`,
    },
    {
      command: [...node, `${apiserver}/scripts/record-real-server.ts`, "--kubeconfig", "$KUBECONFIG"],
      ...{ in: ".", writes: [`${apiserver}/src/server/*/generated/*.json`] },
      needs: bare,
    },
    {
      command: ["go", "run", ".", "<", "expressions.jsonl", ">", "expressions.json"],
      ...{
        in: `${apiserver}/scripts/record-expressions`,
        writes: [`${apiserver}/src/lib/cel/recorded/expressions.json`],
      },
      needs: "a Go module with k8s.io/apiserver of this version, and the questions: see main.go",
    },
    {
      command: ["go", "test", "-count=1", "."],
      ...{
        in: "packages/sdk/informers/scripts/record-work-queues",
        writes: ["packages/sdk/informers/src/work-queue/recorded.json.gz"],
      },
      needs: "Go, and `go mod tidy` before it",
    },
    {
      command: [...node, "packages/proof/conformance/scripts/record-kubectl.ts"],
      ...{ in: ".", writes: ["packages/proof/conformance/src/kubectl/requests.json"] },
      needs: "Go: it builds the control plane, 3 programs in some minutes",
    },
    {
      command: ["npx", "--yes", "pnpm@12", "proof", "conformance", "--record"],
      ...{ in: ".", writes: ["packages/proof/conformance/**"] },
      needs: "Go, as before",
    },
  ];
}
