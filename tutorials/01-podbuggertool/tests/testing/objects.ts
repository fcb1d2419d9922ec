import type { Pod } from "@operator-path/client";

export const request = { namespace: "shop", name: "tool" };

/** Asks for busybox in each Pod with app=payment. */
export const tool = {
  ...{ apiVersion: "ualter.com/v1beta1", kind: "Podbuggertool", metadata: request },
  spec: { label: "app=payment", image: "busybox" },
};

export function pod(name: string, { ready = true, app = "payment" } = {}): Pod {
  return {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, labels: { app } } },
    // A tool sees the processes of the first container, and not those of a sidecar.
    spec: {
      containers: [
        { name: "main", image: "payment:1.0.0" },
        { name: "sidecar", image: "proxy:1.0.0" },
      ],
    },
    status: {
      phase: "Running",
      conditions: [
        { type: "PodScheduled", status: "True" },
        { type: "Ready", status: ready ? "True" : "False" },
      ],
    },
  };
}

/** An ephemeral container as the operator adds it, for the tool of this name. */
export function toolContainer(name: string, owner = "tool", image = "busybox") {
  return {
    ...{ name, image, stdin: true, tty: true, targetContainerName: "main" },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    env: [{ name: "PODBUGGERTOOL", value: owner }],
  };
}
