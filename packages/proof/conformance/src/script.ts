/** JSON as it is sent and received. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;
/** A member that is undefined is not sent. */
export type JsonMap = { readonly [key: string]: Json | undefined };

/** What a script is about: the points of the project's promise about its API server. */
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
 * Requests that are sent one after another, to each server. `{{ns}}` stands for the script's own namespace, which is
 * there with its ServiceAccount `default`, and `{{id.path.0.to}}` for a part of the answer to the step of that id.
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
  /** An object is sent as JSON, a text as it stands. */
  readonly body?: Json;
  /** Sent as it is, in base64: protobuf, as kubectl sends some built-in kinds. */
  readonly bytes?: string;
  /** Default application/json. */
  readonly contentType?: string;
  /** Default application/json. */
  readonly accept?: string;
  /** Default `conformance`: it becomes the manager of what is written. */
  readonly userAgent?: string;
  /** Impersonated. Default: the administrator. */
  readonly as?: string;
  readonly groups?: readonly string[];
  /** A bearer token of its own. */
  readonly token?: string;
  /**
   * Repeated until the answer has this status, or one of these, or carries a warning: a real server learns of a
   * definition, a role, or a namespace's Pods a moment later.
   */
  readonly until?: number | readonly number[] | "warning";
  /** Makes what the others need; is not compared. */
  readonly setup?: boolean;
}

/** Opens a watch; the steps that follow happen while it is open. */
export interface WatchStep {
  readonly watch: string;
  readonly path: string;
  readonly accept?: string;
  readonly as?: string;
}

/** Takes as many events from a watch, or fewer if no more come, and closes it. */
export interface CollectStep {
  readonly collect: string;
  readonly count: number;
}

/** What a server said to one step, ready to be compared. */
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
