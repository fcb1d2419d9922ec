import { UserError } from "@operator-path/cluster/user-error";
import type { KubernetesVersions } from "@operator-path/tools";
import type { Registries } from "./registries.ts";

/** The versions to move to, and what a person has to look at because no registry could tell. */
export interface Target {
  readonly versions: KubernetesVersions;
  readonly notes: readonly string[];
}

/**
 * Returns the version that a person asked for: `1.37`, or `1.37.1`.
 *
 * @throws UserError when the text is not a version, or is older than the current one
 */
export function parseTarget(text: string, current: KubernetesVersions): string {
  const [, minor, patch] = /^1\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (minor === undefined)
    throw new UserError(`${text} is not a version of Kubernetes (expected 1.37 or 1.37.1)`);
  const [, currentMinor = 0, currentPatch = 0] = current.kubernetes.split(".").map(Number);
  const difference = Number(minor) - currentMinor || (patch === undefined ? 0 : Number(patch) - currentPatch);
  if (difference < 0)
    throw new UserError(`${text} is older than ${current.kubernetes}, the repository's version`);
  if (text === current.kubernetes) throw new UserError(`the repository is at ${text} already`);
  return text;
}

/**
 * Returns the versions that follow from a version of Kubernetes, as the Go module proxy and npm's registry know them.
 *
 * @param wanted what `parseTarget` returned; of a minor version, the newest patch is taken
 * @throws UserError when the module proxy does not have it or has only prereleases, or a registry does not answer
 */
export async function resolveVersions(
  wanted: string,
  current: KubernetesVersions,
  registries: Registries,
): Promise<Target> {
  const notes: string[] = [];
  const newest = await registries.resolveModule("k8s.io/kubernetes", `v${wanted}`);
  // Without a release, the query returns a prerelease: Kubernetes tags 1.38.0-alpha.0 when it branches 1.37.
  if (!isRelease(newest)) {
    throw new UserError(
      `Kubernetes ${wanted} has no release yet (the newest version is ${newest}): ask for a released version`,
    );
  }
  const kubernetes = newest.slice(1);
  if (kubernetes === current.kubernetes)
    throw new UserError(`the repository is at ${kubernetes} already, the newest patch of ${wanted}`);
  const minor = kubernetes.split(".")[1] ?? "";
  const etcd = /go\.etcd\.io\/etcd\/client\/v3 v(\S+)/.exec(
    await registries.goMod("k8s.io/kubernetes", `v${kubernetes}`),
  )?.[1];
  if (etcd === undefined) notes.push("k8s.io/kubernetes does not say which etcd it needs: set etcd by hand");
  const versions = {
    ...current,
    kubernetes,
    etcd: etcd ?? current.etcd,
    controllerRuntime: await peer("sigs.k8s.io/controller-runtime", current.controllerRuntime),
    controllerTools: await peer("sigs.k8s.io/controller-tools", current.controllerTools),
    ...(await kindVersions()),
    ...(await kubectlPackage()),
  };
  return { versions, notes };

  /** The newest release that is built on this Kubernetes. */
  async function peer(module: string, known: string): Promise<string> {
    for (const version of (await registries.moduleVersions(module)).filter(isRelease).reverse()) {
      const built = /k8s\.io\/(?:api|client-go|apimachinery) v0\.(\d+)\./.exec(
        await registries.goMod(module, version),
      );
      if (built?.[1] === minor) return version.slice(1);
      if (Number(built?.[1]) < Number(minor)) break;
    }
    notes.push(`${module} has no release that is built on Kubernetes 1.${minor}: ${known} stays`);
    return known;
  }

  async function kindVersions(): Promise<Pick<KubernetesVersions, "kind" | "kindNodeImage">> {
    const module = "sigs.k8s.io/kind";
    const newest = (await registries.moduleVersions(module)).filter(isRelease).at(-1) ?? `v${current.kind}`;
    const source = await registries.moduleFile(module, newest, "pkg/apis/config/defaults/image.go");
    const image = /kindest\/node:v1\.(\d+)\.\d+/.exec(source);
    if (image?.[1] === minor) return { kind: newest.slice(1), kindNodeImage: image[0] };
    const guess = `kindest/node:v${kubernetes}`;
    notes.push(
      `kind ${newest} starts another minor version by default. Look in the release notes of kind for the image of 1.${minor}: ${guess} is a guess`,
    );
    return { kind: current.kind, kindNodeImage: guess };
  }

  async function kubectlPackage(): Promise<
    Pick<KubernetesVersions, "kubectlPackage" | "kubectlPackageRange">
  > {
    const name = current.kubectlPackage.replace(/\d+$/, minor);
    const version = await registries.npmVersion(name);
    if (version !== undefined) return { kubectlPackage: name, kubectlPackageRange: `^${version}` };
    const skew = Number(minor) - Number(/\d+$/.exec(current.kubectlPackage)?.[0]);
    notes.push(
      `npm has no ${name}: ${current.kubectlPackage} stays, ${skew} minor version${skew === 1 ? "" : "s"} behind Kubernetes ` +
        (skew > 1 ? "(kubectl supports 1: find another package)" : "(kubectl supports that)"),
    );
    return { kubectlPackage: current.kubectlPackage, kubectlPackageRange: current.kubectlPackageRange };
  }
}

function isRelease(version: string): boolean {
  return /^v\d+\.\d+\.\d+$/.test(version);
}
