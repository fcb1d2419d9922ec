import { managedBy } from "./managed-fields.ts";
import { type Random, uuid } from "./random.ts";
import { annotation, moment, roles, sentence, setting, suffix, targetSize, teams } from "./vocabulary.ts";

/**
 * Returns a Pod as a watch of kube-apiserver 1.36 sends it: a ReplicaSet's, with the server's defaults and
 * the managedFields of the controller manager and, unless it still waits for a node, of the kubelet. The
 * member order is that server's.
 */
export function pod(random: Random, index: number, namespace: string, resourceVersion: string): object {
  const role = random.pick(roles);
  const team = random.pick(teams);
  const hash = suffix(random, 10);
  const created = moment(random);
  const isScheduled = random.chance(0.5);
  const labels: Record<string, string> = {
    "app.kubernetes.io/instance": `${team}-${role}`,
    "app.kubernetes.io/name": role,
    "pod-template-hash": hash,
  };
  const annotations: Record<string, string> = {};
  const containers = [container(random, "main")];
  let bytes = isScheduled ? 2_100 : 1_300;
  for (const target = targetSize(random, 1_350); bytes < target; ) {
    const kind = random.next();
    if (kind < 0.04 && containers.length < 4) {
      containers.push(container(random, `${random.pick(roles)}-${containers.length}`));
      bytes += 900;
    } else if (kind < 0.3) {
      const [name, value] = annotation(random, Object.keys(annotations).length);
      annotations[name] = value;
      bytes += name.length + value.length + 6;
    } else if (kind < 0.36) {
      labels[`topology.example.com/label-${Object.keys(labels).length}`] =
        `${random.pick(teams)}-${random.below(9)}`;
      bytes += 50;
    } else {
      const { env } = random.pick(containers);
      env.push(setting(random, env.length));
      bytes += 30 + (env.at(-1)?.value.length ?? 0);
    }
  }
  const metadata = {
    generateName: `${team}-${role}-${hash}-`,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    labels,
    ownerReferences: [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: `${team}-${role}-${hash}`,
        uid: uuid(random),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  const spec = specOf(containers, isScheduled ? `node-${random.below(200)}` : undefined);
  const status = isScheduled ? runningStatus(random, containers, created) : undefined;
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: `${team}-${role}-${hash}-${suffix(random)}${index}`,
      generateName: metadata.generateName,
      namespace,
      uid: uuid(random),
      resourceVersion,
      generation: 1,
      creationTimestamp: created,
      labels,
      ...(metadata.annotations && { annotations }),
      ownerReferences: metadata.ownerReferences,
      managedFields: [
        managedBy("kube-controller-manager", "v1", created, { metadata, spec: ownedSpec(spec) }),
        ...(status
          ? [managedBy("kubelet", "v1", moment(random), { status: ownedStatus(status) }, "status")]
          : []),
      ],
    },
    spec,
    status: status ?? { phase: "Pending", qosClass: "Burstable" },
  };
}

interface Container {
  name: string;
  image: string;
  env: { name: string; value: string }[];
  [field: string]: unknown;
}

function container(random: Random, name: string): Container {
  return {
    name,
    image: `registry.example.com/${random.pick(teams)}/${random.pick(roles)}:${random.below(4)}.${random.below(30)}.${random.below(9)}`,
    ...(random.chance(0.4) && { ports: [{ containerPort: 8000 + random.below(999), protocol: "TCP" }] }),
    env: [setting(random, 0)],
    resources: random.chance(0.4)
      ? { limits: { memory: `${64 << random.below(5)}Mi` }, requests: { cpu: `${10 + random.below(500)}m` } }
      : {},
    volumeMounts: [
      {
        name: "kube-api-access",
        readOnly: true,
        mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
      },
    ],
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
  };
}

function specOf(containers: readonly Container[], nodeName: string | undefined) {
  const toleration = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
  return {
    volumes: [
      {
        name: "kube-api-access",
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
          ],
          defaultMode: 420,
        },
      },
    ],
    containers,
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    serviceAccountName: "default",
    serviceAccount: "default",
    ...(nodeName !== undefined && { nodeName }),
    securityContext: {},
    schedulerName: "default-scheduler",
    tolerations: [
      { key: "node.kubernetes.io/not-ready", ...toleration },
      { key: "node.kubernetes.io/unreachable", ...toleration },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: "PreemptLowerPriority",
  };
}

/** The template of a ReplicaSet: admission and the scheduler add the rest. */
function ownedSpec({ containers, ...spec }: ReturnType<typeof specOf>): object {
  const { restartPolicy, terminationGracePeriodSeconds, dnsPolicy, securityContext, schedulerName } = spec;
  return {
    containers: containers.map(({ volumeMounts: _, ...owned }) => owned),
    dnsPolicy,
    enableServiceLinks: true,
    restartPolicy,
    schedulerName,
    securityContext,
    terminationGracePeriodSeconds,
  };
}

function runningStatus(random: Random, containers: readonly Container[], startTime: string) {
  const ready = random.chance(0.9);
  const condition = (type: string, status = "True") => ({
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: moment(random),
    ...(status === "False" && { reason: "ContainersNotReady", message: sentence(random) }),
  });
  const ip = `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`;
  return {
    observedGeneration: 1,
    phase: "Running",
    conditions: [
      condition("Initialized"),
      condition("Ready", ready ? "True" : "False"),
      condition("PodScheduled"),
    ],
    hostIP: `192.168.${random.below(8)}.${random.below(256)}`,
    podIP: ip,
    podIPs: [{ ip }],
    startTime,
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      state: { running: { startedAt: startTime } },
      lastState: {},
      ready,
      restartCount: random.below(3),
      image,
      imageID: `${image.split(":")[0]}@sha256:${random.text(64)}`,
      containerID: `containerd://${random.text(64)}`,
      started: true,
    })),
    qosClass: "Burstable",
  };
}

function ownedStatus({ qosClass: _, ...status }: ReturnType<typeof runningStatus>): object {
  return { ...status, conditions: status.conditions.filter(({ type }) => type !== "PodScheduled") };
}
