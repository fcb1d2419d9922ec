/** A Pod of about 2 KB, like a Deployment's Pods, which clusters have most of. */
export function podManifest(name: string): object {
  const env = Array.from({ length: 12 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `value-${index}-of-${name}`,
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      labels: { app: "bench", "pod-template-hash": "cd94d9759", group: name.slice(-1) },
      annotations: { "example.com/checksum": "0123456789abcdef".repeat(8) },
    },
    spec: {
      // No ServiceAccount controller runs beside either server.
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          name: "main",
          image: "example.com/team/app:1.2.3",
          ports: [{ containerPort: 8080, name: "http" }],
          env,
          resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "128Mi" } },
          readinessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 5 },
          volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
        },
      ],
      volumes: [{ name: "config", configMap: { name: "app" } }],
    },
  };
}
