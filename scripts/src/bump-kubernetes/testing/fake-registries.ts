import { UserError } from "@operator-path/cluster/user-error";
import type { Registries } from "../registries.ts";

/** Registries in which Kubernetes 1.37.2 is the newest version. */
export function fakeRegistries({
  peers = "37",
  kindDefault = "v1.37.0",
  npm = "2.1.0",
  folder = (_version: string): string => "",
} = {}): Registries {
  const published: Readonly<Record<string, string[]>> = {
    "sigs.k8s.io/controller-runtime": ["v0.24.1", "v0.25.2", "v0.26.0-beta.0"],
    "sigs.k8s.io/controller-tools": ["v0.21.0", "v0.22.0"],
    "sigs.k8s.io/kind": ["v0.33.0", "v0.34.0", "v0.35.0-alpha"],
  };
  return {
    resolveModule: async (module, query) => {
      if (query === "v1.37" || query === "v1.37.2") return "v1.37.2";
      throw new UserError(`the Go module proxy did not return ${module}@${query}: no matching versions`);
    },
    moduleVersions: async (module) => published[module] ?? [],
    goMod: async (module, version) => {
      if (module === "k8s.io/kubernetes") return "\tgo.etcd.io/etcd/client/v3 v3.7.0\n";
      const isNewest = published[module]?.filter((each) => !each.includes("-")).at(-1) === version;
      return `\tk8s.io/api v0.${isNewest ? peers : "36"}.0\n`;
    },
    moduleFolder: async (_module, version) => folder(version),
    moduleFile: async (module) =>
      module === "sigs.k8s.io/kind" ? `const Image = "kindest/node:${kindDefault}@sha256:00"` : "",
    moduleCache: async () => "/modules",
    npmVersion: async () => npm || undefined,
  };
}
