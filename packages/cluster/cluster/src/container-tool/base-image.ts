import {
  type ImageConfig,
  type ImageManifest,
  parseImageReference,
} from "@operator-path/kubelet/local-images";

/** What a Dockerfile's FROM stands for here: Node, and the configuration that such an image brings. */
export interface BaseImage {
  readonly flavour: ImageManifest["flavour"];
  readonly config: ImageConfig;
  /** Major version of Node that the image would have; undefined when its tag does not say. */
  readonly nodeMajor: number | undefined;
}

/** For messages: the images that are understood. */
export const understoodBases =
  "node:<tag>, gcr.io/distroless/nodejs<version>[-debian<version>], cgr.dev/chainguard/node";

/** @returns undefined for an image that is not Node. */
export function baseImage(name: string): BaseImage | undefined {
  const reference = parseImageReference(name);
  if (reference === undefined) return undefined;
  const { repository, tag = "latest" } = reference;
  const distroless = /^gcr\.io\/distroless\/nodejs(\d+)?(?:-debian\d+)?$/.exec(repository);
  if (distroless) {
    const nonroot = /(?:^|-)nonroot$/.test(tag);
    return {
      flavour: "distroless",
      config: {
        entrypoint: ["/nodejs/bin/node"],
        ...(nonroot ? { user: "65532", workingDir: "/home/nonroot" } : {}),
      },
      nodeMajor: distroless[1] === undefined ? undefined : Number(distroless[1]),
    };
  }
  if (repository === "cgr.dev/chainguard/node") {
    const config = { entrypoint: ["/usr/bin/node"], user: "65532", workingDir: "/app" };
    return { flavour: "distroless", config, nodeMajor: undefined };
  }
  if (/^(?:docker\.io|public\.ecr\.aws\/docker|mirror\.gcr\.io)\/library\/node$/.test(repository)) {
    return {
      flavour: /alpine/.test(tag) ? "alpine" : "debian",
      config: { entrypoint: ["docker-entrypoint.sh"], cmd: ["node"] },
      nodeMajor: Number(/^(\d+)/.exec(tag)?.[1]) || undefined,
    };
  }
  return undefined;
}
