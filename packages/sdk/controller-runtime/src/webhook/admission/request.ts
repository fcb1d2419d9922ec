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

/** admission/v1 AdmissionRequest: what the API server asks about. */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  uid: string;
  /** Of `object`. */
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  /** "status", "scale". */
  subResource?: string;
  /** As the client asked, where the webhook is asked about an equivalent kind. */
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string;
  /** May be absent when an object with generateName is made. */
  name?: string;
  namespace?: string;
  operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  userInfo: UserInfo;
  /** Null when something is deleted. */
  object?: T | null;
  /** Before an update, or of what is deleted. */
  oldObject?: T | null;
  /** Nothing will be stored: do nothing outside the object. */
  dryRun?: boolean;
  /** meta/v1 CreateOptions, UpdateOptions, … */
  options?: Record<string, unknown> | null;
}
