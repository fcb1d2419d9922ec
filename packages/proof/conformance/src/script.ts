/** JSON as it is sent and received. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;
/** Members with the value undefined are not sent. */
export type JsonMap = { readonly [key: string]: Json | undefined };

/** The subject of a script. */
export type Area =
  | "access"
  | "admission"
  | "apply"
  | "bad input"
  | "custom resources"
  | "deletion"
  | "discovery"
  | "generated"
  | "kubectl"
  | "lists and watches"
  | "patches"
  | "streams"
  | "tables"
  | "tutorial 01"
  | "validation"
  | "writing";

/**
 * Requests that each server receives one after another. `{{ns}}` stands for the script's own namespace, which exists
 * with its ServiceAccount `default`. `{{id.path.0.to}}` stands for a part of the answer to the step of that id.
 */
export interface Script {
  /** Unique in its area. */
  readonly name: string;
  readonly area: Area;
  readonly steps: readonly Step[];
}

export type Step = RequestStep | WatchStep | CollectStep;

export interface RequestStep {
  readonly id?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: Json;
  /** The body in base64: protobuf, which kubectl sends for some built-in kinds. */
  readonly bytes?: string;
  /** Default application/json. */
  readonly contentType?: string;
  /** Default application/json. */
  readonly accept?: string;
  /** Default `conformance`. It becomes the field manager. */
  readonly userAgent?: string;
  /** The user to impersonate. Default: the administrator. */
  readonly as?: string;
  readonly groups?: readonly string[];
  /** A bearer token. Default: the administrator's. */
  readonly token?: string;
  /**
   * Repeats the request until the answer has this status, one of these statuses, or a warning. A real server sees a
   * new CRD, a new role or a namespace's Pods a moment later.
   */
  readonly until?: number | readonly number[] | "warning";
  /** Milliseconds after which `until` gives up, and the last answer counts. Default 15,000. */
  readonly patience?: number;
  /** Prepares later steps. Its answer is not compared. */
  readonly setup?: boolean;
}

/** Opens a watch, which stays open during the next steps. */
export interface WatchStep {
  readonly watch: string;
  readonly path: string;
  readonly accept?: string;
  readonly as?: string;
}

/** Reads up to `count` events from a watch, and closes it. */
export interface CollectStep {
  readonly collect: string;
  readonly count: number;
}

/** A server's answer to one step, ready for the comparison. */
export interface Answer {
  /** `POST /api/v1/…` as the script has it. */
  readonly request: string;
  readonly status: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body: Json;
}

export const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);
