import type { ApiPackage, PackageMarker } from "../api/api-package.ts";
import type { Report } from "../problem.ts";
import type { Json } from "../yaml/emit.ts";

/** The arguments of +kubebuilder:webhook. */
interface WebhookFields {
  readonly mutating: boolean;
  readonly failurePolicy: string;
  readonly matchPolicy?: string;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly versions: readonly string[];
  readonly name: string;
  readonly serviceName?: string;
  readonly serviceNamespace?: string;
  readonly path?: string;
  readonly servicePort?: number;
  readonly webhookVersions?: readonly string[];
  readonly admissionReviewVersions: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly url?: string;
}

/**
 * Returns the webhook configurations of all +kubebuilder:webhook markers: one mutating, one validating, or
 * neither.
 */
export function webhookManifests(packages: readonly ApiPackage[], report: Report): Json[] {
  const markers = packages.flatMap((each) => each.markers);
  const webhooks = markers.filter(({ definition }) => definition.name === "kubebuilder:webhook");
  return [true, false].flatMap((mutating): Json[] => {
    const own = webhooks
      .filter(({ value }) => (value as unknown as WebhookFields).mutating === mutating)
      .map((marker) => webhook(marker, report))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    if (own.length === 0) return [];
    const kind = mutating ? "Mutating" : "Validating";
    return [
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: configurationName(markers, mutating, report) },
        webhooks: own.map(({ manifest }) => manifest),
      },
    ];
  });
}

function configurationName(markers: readonly PackageMarker[], mutating: boolean, report: Report): string {
  const own = markers.filter(
    ({ definition, value }) =>
      definition.name === "kubebuilder:webhookconfiguration" &&
      (value as { mutating: boolean }).mutating === mutating,
  );
  const [first, second] = own;
  if (second !== undefined) {
    report(
      second,
      `the ${mutating ? "mutating" : "validating"} configuration has two names`,
      "remove one marker",
    );
  }
  const name = (first?.value as { name?: string } | undefined)?.name;
  return name || `${mutating ? "mutating" : "validating"}-webhook-configuration`;
}

function webhook(marker: PackageMarker, report: Report): { name: string; manifest: Json } {
  const fields = marker.value as unknown as WebhookFields;
  const fail = (message: string, suggestion?: string): void =>
    report(marker, `+kubebuilder:webhook ${fields.name}: ${message}`, suggestion);
  const choose = (field: string, text: string | undefined, values: readonly string[]): string | undefined => {
    if (text === undefined || text === "") return undefined;
    const value = values.find((each) => each.toLowerCase() === text.toLowerCase());
    if (value === undefined) fail(`there is no ${field} ${text}`, `use ${values.join(", ")}`);
    return value;
  };
  const sideEffects = choose("sideEffects", fields.sideEffects, ["None", "NoneOnDryRun"]);
  if (fields.sideEffects === undefined) fail("sideEffects is missing", "write sideEffects=None");
  const { timeoutSeconds } = fields;
  if (timeoutSeconds !== undefined && timeoutSeconds !== 0 && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    fail(`timeoutSeconds=${timeoutSeconds} is not between 1 and 30`);
  }
  if (fields.admissionReviewVersions.length === 0)
    fail("admissionReviewVersions is empty", "write admissionReviewVersions=v1");
  choose(
    "webhookVersions",
    fields.webhookVersions?.find((version) => version !== "v1"),
    ["v1"],
  );
  return {
    name: fields.name,
    manifest: {
      admissionReviewVersions: fields.admissionReviewVersions,
      clientConfig: clientConfig(fields, fail),
      failurePolicy: choose("failurePolicy", fields.failurePolicy, ["Ignore", "Fail"]),
      matchPolicy: choose("matchPolicy", fields.matchPolicy, ["Exact", "Equivalent"]),
      name: fields.name,
      reinvocationPolicy: fields.mutating
        ? choose("reinvocationPolicy", fields.reinvocationPolicy, ["Never", "IfNeeded"])
        : undefined,
      rules: [
        {
          apiGroups: undefinedIfEmpty(fields.groups.map((group) => (group === "core" ? "" : group))),
          apiVersions: undefinedIfEmpty(fields.versions),
          operations: undefinedIfEmpty(
            fields.verbs.map(
              (verb) => choose("verb", verb, ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"]) ?? verb,
            ),
          ),
          resources: undefinedIfEmpty(fields.resources),
        },
      ],
      sideEffects,
      timeoutSeconds: timeoutSeconds || undefined,
    },
  };
}

function clientConfig(
  { path, url, serviceName, serviceNamespace, servicePort }: WebhookFields,
  fail: (message: string, suggestion?: string) => void,
): Json {
  if (Boolean(path) === Boolean(url))
    fail("it needs either a path or a url", "write path=/… with the path that the operator serves");
  if (url) return { url };
  return {
    service: {
      name: serviceName || "webhook-service",
      namespace: serviceNamespace || "system",
      path,
      port: servicePort,
    },
  };
}

function undefinedIfEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}
