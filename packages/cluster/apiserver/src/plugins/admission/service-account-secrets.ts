import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import { type AdmissionAttributes, forbiddenBy } from "../../server/admission/admission.ts";

const annotation = "kubernetes.io/enforce-mountable-secrets";
/** The true values of strconv.ParseBool. */
const trueTexts = ["1", "t", "T", "true", "TRUE", "True"];

/**
 * Allows only the Secrets that the account lists, if its annotation demands it. @throws ApiStatusError 403
 */
export function checkSecretReferences(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  account: ApiObject,
  onlyEphemeral: boolean,
): void {
  if (!trueTexts.includes(account.metadata.annotations?.[annotation] ?? "")) return;
  const allowed = names(account.secrets);
  const who = `service account ${account.metadata.name}`;
  const refusals = onlyEphemeral
    ? containerRefusals("ephemeral container", spec.ephemeralContainers, allowed, who)
    : [
        ...objects(spec.volumes)
          .map(({ secret }) => secret)
          .filter((secret) => secret !== undefined && !allowed.includes(text(object(secret).secretName)))
          .map((secret) => {
            const name = text(object(secret).secretName);
            return `volume with secret.secretName="${name}" is not allowed because ${who} does not reference that secret`;
          }),
        ...containerRefusals("init container", spec.initContainers, allowed, who),
        ...containerRefusals("container", spec.containers, allowed, who),
        ...pullSecretRefusals(spec, names(account.imagePullSecrets), who),
      ];
  const [first] = refusals;
  if (first !== undefined) throw forbiddenBy(attributes, first);
}

function names(references: JsonObject[string]): string[] {
  return objects(references).map(({ name }) => text(name));
}

function containerRefusals(
  what: string,
  containers: JsonObject[string],
  allowed: string[],
  who: string,
): string[] {
  return objects(containers).flatMap((container) => {
    const head = `${what} ${text(container.name)}`;
    const refuse = (how: string, secret: string) =>
      allowed.includes(secret)
        ? []
        : [
            `${head} with ${how} referencing secret.secretName="${secret}" is not allowed because ${who} does not reference that secret`,
          ];
    return [
      ...objects(container.env).flatMap(({ name, valueFrom }) => {
        const { secretKeyRef } = object(valueFrom);
        return secretKeyRef === undefined
          ? []
          : refuse(`envVar ${text(name)}`, text(object(secretKeyRef).name));
      }),
      ...objects(container.envFrom).flatMap(({ secretRef }) =>
        secretRef === undefined ? [] : refuse("envFrom", text(object(secretRef).name)),
      ),
    ];
  });
}

function pullSecretRefusals(spec: JsonObject, allowed: string[], who: string): string[] {
  return names(spec.imagePullSecrets).flatMap((name, index) =>
    allowed.includes(name)
      ? []
      : [
          `imagePullSecrets[${index}].name="${name}" is not allowed because ${who} does not reference that imagePullSecret`,
        ],
  );
}

/** Returns whether a Pod names any Secret (VisitPodSecretNames). */
export function referencesSecrets(spec: JsonObject): boolean {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objects(spec[list]),
  );
  return (
    objects(spec.imagePullSecrets).length > 0 ||
    containers.some(
      ({ env, envFrom }) =>
        objects(env).some(({ valueFrom }) => object(valueFrom).secretKeyRef !== undefined) ||
        objects(envFrom).some(({ secretRef }) => secretRef !== undefined),
    ) ||
    objects(spec.volumes).some((volume) =>
      [volume.secret, ...objects(object(volume.projected).sources).map(({ secret }) => secret)].some(
        (secret) => secret !== undefined,
      ),
    )
  );
}
