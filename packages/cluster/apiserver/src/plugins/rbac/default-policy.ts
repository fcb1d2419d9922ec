import { brotliDecompressSync } from "node:zlib";
import { defaultPolicyBlob } from "../../generated/policy.ts";
import { rbacGroup } from "../../kinds/rbac/policy-rule.ts";
import { type Clock, timestamp } from "../../lib/clock.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { keyOf } from "../../server/storage/keys.ts";
import type { Store } from "../../server/storage/store.ts";

const kinds: Record<string, string> = {
  clusterroles: "ClusterRole",
  clusterrolebindings: "ClusterRoleBinding",
  roles: "Role",
  rolebindings: "RoleBinding",
};

/** The parts of the server that RBAC uses. */
export interface RbacStorage {
  readonly store: Store;
  readonly clock: Clock;
  readonly uuid: () => string;
}

/**
 * Stores the default roles and bindings (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). They are copies of
 * a real server's objects: they skip admission and validation, and aggregated roles already contain their
 * rules.
 */
export function storeDefaultPolicy({ store, clock, uuid }: RbacStorage): void {
  const json = brotliDecompressSync(Buffer.from(defaultPolicyBlob, "base64")).toString("utf8");
  const policy = JSON.parse(json) as Record<string, ApiObject[]>;
  const creationTimestamp = timestamp(clock.now());
  for (const [plural, objects] of Object.entries(policy)) {
    const collection = `${plural}.${rbacGroup}`;
    for (const { metadata, ...rest } of objects) {
      const { name = "", namespace, labels, annotations, managedFields } = metadata;
      store.create(collection, keyOf(namespace ?? "", name), {
        ...rest,
        apiVersion: `${rbacGroup}/v1`,
        kind: kinds[plural] ?? "",
        metadata: {
          name,
          ...(namespace === undefined ? {} : { namespace }),
          uid: uuid(),
          creationTimestamp,
          ...(labels === undefined ? {} : { labels }),
          ...(annotations === undefined ? {} : { annotations }),
          managedFields: (managedFields as JsonObject[]).map((entry) => ({
            ...entry,
            time: creationTimestamp,
          })),
        },
      });
    }
  }
}
