import type { KubeObject } from "@operator-path/client";

/** meta/v1 GroupVersionKind. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** meta/v1 GroupVersionResource. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** authentication/v1 UserInfo. */
export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** The request that the API server asks about. admission/v1 AdmissionRequest. */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  uid: string;
  /** The kind of `object`. */
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  /** "status", "scale". */
  subResource?: string;
  /** The kind in the client's request, when the webhook receives an equivalent kind. */
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string;
  /** May be missing when an object with generateName is created. */
  name?: string;
  namespace?: string;
  operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  userInfo: UserInfo;
  /** Null for a deletion. */
  object?: T | null;
  /** The object before an update, or the deleted object. */
  oldObject?: T | null;
  /** Whether nothing will be stored. Then do nothing outside the object. */
  dryRun?: boolean;
  /** meta/v1 CreateOptions, UpdateOptions, … */
  options?: Record<string, unknown> | null;
}
