import { type Condition, defineResource, type KubeObject } from "@operator-path/client";

/**
 * The kind of the reference operator: it has a Deployment inside of the cluster, and a DNS record outside of
 * it.
 */
export interface Site extends KubeObject {
  /** A negative size is impossible; 0 is a record without a Deployment. */
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

/** Present while the site may have a record. */
export const recordFinalizer = "proof.example.com/record";

/** A DNS record: the site that it belongs to, and its content. */
export interface DnsRecord {
  readonly uid: string;
  readonly size: number;
}

/** The operator's calls outside of the cluster. Every call may fail, also after its effect. */
export interface Records {
  get(name: string): Promise<DnsRecord | undefined>;
  set(name: string, record: DnsRecord): Promise<void>;
  /**
   * Removes only the record of that site: another site of its name may have one by now. A missing record is
   * no error.
   */
  remove(name: string, uid: string): Promise<void>;
}
