export interface RegistryOptions {
  /** The container's name, and its host on the network of the nodes. Default `kind-registry`. */
  readonly name?: string;
  /** Port on 127.0.0.1 of this machine; images are then `localhost:5001/…`. Default 5001. */
  readonly port?: number;
  /** Default: KIND_REGISTRY_IMAGE of the environment, or `docker.io/library/registry:3`. */
  readonly image?: string;
  /** Registries that it stands in for, so that a node asks it first: `["docker.io"]`. Default: none. */
  readonly mirrorOf?: readonly string[];
}

/** As kind's documentation has them. */
export function withDefaults({ name = "kind-registry", port = 5001, mirrorOf = [] }: RegistryOptions) {
  return { name, port, mirrorOf };
}
