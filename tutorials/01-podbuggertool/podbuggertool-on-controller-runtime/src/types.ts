import { defineResource, type KubeObject } from "@operator-path/client";

/** What the user asks for. */
export interface PodbuggertoolSpec {
  /** The Pods to serve, as "key=value". */
  label: string;
  /** The image of the tool container. */
  image: string;
}

/** What the controller has seen. */
export interface PodbuggertoolStatus {
  /** The number of Pods in which the tool runs now. */
  installed?: number;
}

export interface Podbuggertool extends KubeObject {
  spec: PodbuggertoolSpec;
  status?: PodbuggertoolStatus;
}

export const podbuggertools = defineResource<Podbuggertool>({
  group: "ualter.com",
  version: "v1beta1",
  kind: "Podbuggertool",
  plural: "podbuggertools",
  namespaced: true,
});
