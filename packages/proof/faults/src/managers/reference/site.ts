import { type Condition, defineResource, type KubeObject } from "@operator-path/client";

/** What the reference operator is about: a Deployment inside of the cluster, a DNS record outside of it. */
export interface Site extends KubeObject {
  /** Below 0 is nothing that anybody could do; 0 is a record without a Deployment. */
  spec?: { size: number };
  status?: {
    observedGeneration?: number;
    size?: number;
    conditions?: Condition[];
  };
}

export const sites = defineResource<Site>({
  ...{ group: "proof.example.com", version: "v1", kind: "Site", plural: "sites" },
  namespaced: true,
});

/** Held while there may be a record of the site. */
export const recordFinalizer = "proof.example.com/record";
