import { parseQuantity } from "@operator-path/client";
import type { StatusCause } from "../../../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "../../../../apimachinery/validation/cause.ts";
import { named } from "../../../../apimachinery/validation/rules.ts";
import { isDns1123Label } from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";
import { objects, text } from "../../../../lib/json/read.ts";

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** The volume sources of a core/v1 Volume, in the order in which a real server checks them. */
const sources = [
  "emptyDir",
  "hostPath",
  "secret",
  "persistentVolumeClaim",
  "downwardAPI",
  "configMap",
  "projected",
];

export function validateVolumes(volumes: JsonValue | undefined, path: string): StatusCause[] {
  const seen = new Set<string>();
  return objects(volumes).flatMap((volume, index) => {
    const inner = `${path}[${index}]`;
    const name = text(volume.name);
    const causes = [...validateVolumeSource(volume, inner), ...named(name, `${inner}.name`, isDns1123Label)];
    if (name !== "" && seen.has(name)) causes.push(duplicate(`${inner}.name`, name));
    seen.add(name);
    return causes;
  });
}

function validateVolumeSource(volume: JsonObject, path: string): StatusCause[] {
  const others = Object.keys(volume).filter((key) => key !== "name" && !sources.includes(key));
  const present = [...sources, ...others].filter((kind) => isJsonObject(volume[kind]));
  return present.flatMap((kind, index) => {
    if (index > 0) return [forbidden(`${path}.${kind}`, "may not specify more than 1 volume type")];
    const source = volume[kind];
    return isJsonObject(source) ? validateSource(kind, source, `${path}.${kind}`) : [];
  });
}

function validateSource(kind: string, source: JsonObject, path: string): StatusCause[] {
  switch (kind) {
    case "emptyDir": {
      const { sizeLimit } = source;
      if (typeof sizeLimit !== "string" || parseQuantity(sizeLimit).nano >= 0n) return [];
      return [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")];
    }
    case "hostPath":
      return validateHostPath(source, path);
    case "secret":
      return [
        ...(text(source.secretName) === "" ? [required(`${path}.secretName`)] : []),
        ...validateFiles(source, path),
      ];
    case "configMap":
      return [
        ...(text(source.name) === "" ? [required(`${path}.name`)] : []),
        ...validateFiles(source, path),
      ];
    case "persistentVolumeClaim":
      return text(source.claimName) === "" ? [required(`${path}.claimName`)] : [];
    case "projected":
      return [
        ...validateMode(source.defaultMode, `${path}.defaultMode`),
        ...validateProjection(source, path),
      ];
    case "downwardAPI":
      return [
        ...validateMode(source.defaultMode, `${path}.defaultMode`),
        ...objects(source.items).flatMap((item) => validateDownward(item, path)),
      ];
    default:
      return [];
  }
}

function validateProjection(source: JsonObject, path: string): StatusCause[] {
  return objects(source.sources).flatMap((part, index) => {
    const inner = `${path}.sources[${index}]`;
    const { serviceAccountToken: token, downwardAPI } = part;
    const causes: StatusCause[] = [];
    if (isJsonObject(token)) {
      const seconds = Number(token.expirationSeconds ?? 3600);
      const field = `${inner}.serviceAccountToken.expirationSeconds`;
      if (seconds < 600)
        causes.push(invalid(field, seconds, "may not specify a duration less than 10 minutes"));
      // A real server does not name the source here either.
      if (text(token.path) === "") causes.push(required(`${path}.path`));
    }
    if (isJsonObject(downwardAPI)) {
      for (const item of objects(downwardAPI.items)) causes.push(...validateDownward(item, path));
    }
    return causes;
  });
}

const downwardFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.labels",
  "metadata.annotations",
];

/** Validates a file of a downward API volume. The path does not contain its index. */
function validateDownward(item: JsonObject, path: string): StatusCause[] {
  const place = text(item.path);
  const causes = place === "" ? [required(`${path}.path`)] : validateDescendingPath(place, `${path}.path`);
  const fieldPath = isJsonObject(item.fieldRef) ? text(item.fieldRef.fieldPath) : undefined;
  if (fieldPath === undefined) return causes;
  if (downwardFields.includes(fieldPath) || /^metadata\.(labels|annotations)\['.*'\]$/.test(fieldPath))
    return causes;
  const detail = `error converting fieldPath: field label not supported: ${fieldPath}`;
  return [...causes, invalid(`${path}.fieldRef.fieldPath`, fieldPath, detail)];
}

function validateHostPath(source: JsonObject, path: string): StatusCause[] {
  const type = text(source.type);
  const place = text(source.path);
  if (place === "") return [required(`${path}.path`)];
  return [
    ...(place.split("/").includes("..") ? [invalid(`${path}.path`, place, "must not contain '..'")] : []),
    ...(hostPathTypes.includes(type) ? [] : [notSupported(`${path}.type`, type, hostPathTypes)]),
  ];
}

function validateFiles(source: JsonObject, path: string): StatusCause[] {
  return [
    ...validateMode(source.defaultMode, `${path}.defaultMode`),
    ...objects(source.items).flatMap((item, index) => {
      const inner = `${path}.items[${index}]`;
      return [
        ...(text(item.key) === "" ? [required(`${inner}.key`)] : []),
        ...(text(item.path) === "" ? [required(`${inner}.path`)] : []),
        ...validateDescendingPath(text(item.path), `${inner}.path`),
        ...validateMode(item.mode, `${inner}.mode`),
      ];
    }),
  ];
}

function validateMode(mode: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof mode !== "number" || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}

/** Validates that a path does not leave its base directory. */
function validateDescendingPath(path: string, field: string): StatusCause[] {
  const causes: StatusCause[] = [];
  if (path.startsWith("/")) causes.push(invalid(field, path, "must be a relative path"));
  if (path.split("/").includes("..")) causes.push(invalid(field, path, "must not contain '..'"));
  return causes;
}

/** Validates the core/v1 VolumeMounts of a container. */
export function validateMounts(
  mounts: JsonValue | undefined,
  volumes: ReadonlySet<string>,
  path: string,
): StatusCause[] {
  const places = new Set<string>();
  return objects(mounts).flatMap((mount, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const name = text(mount.name);
    const place = text(mount.mountPath);
    if (name === "") causes.push(required(`${inner}.name`));
    if (!volumes.has(name)) causes.push(notFound(`${inner}.name`, name));
    if (place === "") causes.push(required(`${inner}.mountPath`));
    if (places.has(place)) causes.push(invalid(`${inner}.mountPath`, place, "must be unique"));
    places.add(place);
    for (const key of ["subPath", "subPathExpr"]) {
      const below = text(mount[key]);
      // A real server omits the index as well.
      if (below !== "") causes.push(...validateDescendingPath(below, `${path}.${key}`));
    }
    if (mount.subPath && mount.subPathExpr) {
      const detail = "subPathExpr and subPath are mutually exclusive";
      causes.push(invalid(`${inner}.subPathExpr`, mount.subPathExpr, detail));
    }
    return causes;
  });
}
