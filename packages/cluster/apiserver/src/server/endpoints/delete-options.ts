import { badRequest, invalid, type StatusCause } from "../../apimachinery/errors.ts";
import { parseBody } from "../../apimachinery/serializer/decode.ts";
import { jsonKind } from "../../apimachinery/serializer/go-type.ts";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { contentType } from "../http/media-type.ts";
import type { ApiRequest } from "../http/request.ts";
import { integer, parseDryRun, unsupported } from "../registry/options.ts";

/** meta/v1 DeleteOptions. */
export interface DeleteOptions {
  dryRun: boolean;
  gracePeriodSeconds?: number;
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
  preconditions: { uid?: string; resourceVersion?: string };
}

/** Returns the options in the form of an AdmissionReview. */
export function describeDeleteOptions(options: DeleteOptions): JsonObject {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}

const policies = ["Background", "Foreground", "Orphan"] as const;

/** Parses the options from the body or, without one, from the query. @throws ApiStatusError 400 or 422 */
export async function parseDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.body();
  return body.length === 0 ? fromQuery(request.query) : fromBody(body, request.headers["content-type"]);
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const orphan = query.get("orphanDependents");
  return checked({
    dryRun: query.getAll("dryRun"),
    gracePeriodSeconds: integer(query, "gracePeriodSeconds"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: orphan === null ? undefined : orphan === "true" || orphan === "1",
    preconditions: {},
  });
}

function fromBody(body: Buffer, header: string | undefined): DeleteOptions {
  const value = parse(body.toString(), contentType(header));
  const { kind } = value;
  if (kind !== undefined && kind !== "DeleteOptions") {
    const version = JSON.stringify(value.apiVersion ?? "v1");
    // The place of a real server's scheme in its source, which the message contains.
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${version} ${scheme}`);
  }
  const preconditions = isJsonObject(value.preconditions) ? value.preconditions : {};
  const grace = value.gracePeriodSeconds ?? undefined;
  if (grace !== undefined && !Number.isSafeInteger(grace)) {
    const found = typeof grace === "number" ? `number ${grace}` : jsonKind(grace);
    throw badRequest(
      `json: cannot unmarshal ${found} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    );
  }
  return checked({
    dryRun: Array.isArray(value.dryRun) ? value.dryRun.map(String) : [],
    gracePeriodSeconds: grace as number | undefined,
    propagationPolicy: typeof value.propagationPolicy === "string" ? value.propagationPolicy : undefined,
    orphanDependents: typeof value.orphanDependents === "boolean" ? value.orphanDependents : undefined,
    preconditions,
  });
}

function parse(text: string, type: string): JsonObject {
  let value: unknown;
  try {
    value = parseBody(text, type).value;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && error.name.endsWith("SyntaxError"))) {
      throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    }
    throw error;
  }
  if (value === null || value === undefined) return {};
  if (!isJsonObject(value)) throw badRequest("DeleteOptions must be an object");
  return value;
}

interface RawOptions {
  dryRun: string[];
  gracePeriodSeconds: number | undefined;
  propagationPolicy: string | undefined;
  orphanDependents: boolean | undefined;
  preconditions: JsonObject;
}

function checked(raw: RawOptions): DeleteOptions {
  const causes: StatusCause[] = [];
  const dryRun = parseDryRun(raw.dryRun, causes);
  const policy = policies.find((known) => known === raw.propagationPolicy);
  if (raw.propagationPolicy !== undefined && policy === undefined) {
    causes.push(
      unsupported("propagationPolicy", raw.propagationPolicy, ["Foreground", "Background", "Orphan", "nil"]),
    );
  }
  if (raw.propagationPolicy !== undefined && raw.orphanDependents !== undefined) {
    causes.push({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(raw.propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`,
      field: "propagationPolicy",
    });
  }
  if (causes.length > 0) throw invalid("meta.k8s.io", "DeleteOptions", "", causes);
  const effective =
    policy ??
    (raw.orphanDependents === undefined ? undefined : raw.orphanDependents ? "Orphan" : "Background");
  const { uid, resourceVersion } = raw.preconditions;
  return {
    dryRun,
    ...(raw.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: raw.gracePeriodSeconds }),
    ...(effective === undefined ? {} : { propagationPolicy: effective }),
    preconditions: {
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    },
  };
}
