import { findTool } from "@operator-path/tools";
import { findNode, goInstall } from "./programs.ts";
import type { ImageRecipe } from "./recipe.ts";

const tmp = { tmp: 0o1777 };

/** https://github.com/distribution/distribution, the content of the image `registry`. */
export const registryModule = "github.com/distribution/distribution/v3/cmd/registry@v3.0.0";

const nginx: Omit<ImageRecipe, "name" | "dockerfile" | "servedAs"> = {
  debian: ["nginx", "nginx-common", "busybox"],
  shell: true,
  folders: { ...tmp, "var/lib/nginx": 0o755, "var/log/nginx": 0o755 },
  // nginx opens its compiled-in log before it reads its configuration.
  links: { "var/log/nginx/error.log": "/dev/stderr", "var/log/nginx/access.log": "/dev/stdout" },
};

/** Every image of the pages' Pods and Dockerfiles, and a registry to serve them. */
export const recipes: readonly ImageRecipe[] = [
  {
    name: "node",
    dockerfile: "node/Dockerfile",
    servedAs: [],
    debian: ["libstdc++6", "libatomic1", "ca-certificates"],
    certificates: true,
    folders: { ...tmp, "home/nonroot": 0o755 },
    program: { path: "nodejs/bin/node", find: findNode },
  },
  {
    name: "helm",
    dockerfile: "helm/Dockerfile",
    servedAs: [],
    debian: [],
    folders: tmp,
    program: { path: "usr/bin/helm", find: async () => (await findTool("helm")).path },
  },
  {
    name: "busybox",
    dockerfile: "busybox/Dockerfile",
    servedAs: ["library/busybox:latest", "library/busybox:1.36", "library/busybox:1.37"],
    debian: ["busybox"],
    shell: true,
    folders: { ...tmp, root: 0o700, "var/www": 0o755 },
  },
  {
    ...nginx,
    name: "nginx",
    dockerfile: "nginx/Dockerfile",
    servedAs: ["library/nginx:latest", "library/nginx:1.27"],
  },
  {
    ...nginx,
    name: "nginx-unprivileged",
    dockerfile: "nginx/Dockerfile.unprivileged",
    servedAs: ["nginxinc/nginx-unprivileged:1.28-alpine", "nginxinc/nginx-unprivileged:1.29-alpine"],
  },
  {
    name: "memcached",
    dockerfile: "memcached/Dockerfile",
    servedAs: ["library/memcached:1.6.39-alpine"],
    debian: ["memcached", "busybox"],
    shell: true,
    folders: tmp,
  },
  {
    name: "registry",
    dockerfile: "registry/Dockerfile",
    servedAs: [],
    debian: [],
    folders: { ...tmp, "var/lib/registry": 0o755 },
    program: { path: "bin/registry", find: (o) => goInstall(registryModule, o) },
  },
];

/** Returns a Docker Hub image as in `servedAs`: `busybox` is `library/busybox:latest`. */
export function parseImageName(image: string): string {
  const path = image.includes("/") ? image : `library/${image}`;
  return path.includes(":") ? path : `${path}:latest`;
}
