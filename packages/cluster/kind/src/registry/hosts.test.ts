import { expect, it } from "vitest";
import { hostsFiles } from "./hosts.ts";

it("sends a node to the registry for what it is called here, and for what it stands in for", () => {
  expect(hostsFiles({ name: "kind-registry", port: 5001, mirrorOf: ["docker.io", "gcr.io"] })).toEqual([
    {
      path: "/etc/containerd/certs.d/localhost:5001/hosts.toml",
      content: '[host."http://kind-registry:5000"]\n',
    },
    {
      path: "/etc/containerd/certs.d/docker.io/hosts.toml",
      content:
        'server = "https://registry-1.docker.io"\n\n[host."http://kind-registry:5000"]\n  capabilities = ["pull", "resolve"]\n',
    },
    {
      path: "/etc/containerd/certs.d/gcr.io/hosts.toml",
      content:
        'server = "https://gcr.io"\n\n[host."http://kind-registry:5000"]\n  capabilities = ["pull", "resolve"]\n',
    },
  ]);
});
