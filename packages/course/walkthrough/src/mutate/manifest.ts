import { type LineChange, lineChange } from "./mutant.ts";

/** Fields that can be missing without a visible effect. */
const hardening = [
  "securityContext",
  "runAsNonRoot",
  "runAsUser",
  "allowPrivilegeEscalation",
  "readOnlyRootFilesystem",
  "capabilities",
  "seccompProfile",
  "automountServiceAccountToken",
  "resources",
  "livenessProbe",
  "readinessProbe",
  "terminationGracePeriodSeconds",
  "pod-security.kubernetes.io/enforce",
];

/** Fields of a schema that reject or default a value. */
const validation =
  /^(?:required|pattern|enum|format|default|nullable|(?:minimum|maximum|(?:min|max)(?:Length|Items|Properties))|x-kubernetes-.*)$/;

/**
 * Returns one change for each mistake that a manifest could have: missing or disabled hardening, a permission
 * too many or too few, a missing validation, a printer column of another field, another number. It works line
 * by line, so it also reads templates of charts.
 */
export function mutateManifest(source: string): LineChange[] {
  const found: LineChange[] = [];
  const lines = source.split("\n");
  const isDefinition = /^kind: CustomResourceDefinition$/m.test(source);
  const isRole = /^kind: (?:Cluster)?Role$/m.test(source);
  const paths = lines.flatMap((line) => /jsonPath: (\S+)$/.exec(line)?.[1] ?? []);
  lines.forEach((line, i) => {
    const at = { from: i + 1, to: i + 1 };
    const add = (operator: string, what: string, change: Partial<LineChange>): void => {
      found.push({ operator, what, ...at, lines: [], ...change });
    };
    const [, indent = "", key = "", value = ""] = /^(\s*(?:- )?)([\w./-]+):(?: (.*))?$/.exec(line) ?? [];
    const field = hardening.includes(key);
    // In the schema of a CRD such a key describes a field.
    if (field && !/^\s*(?:type|properties|description)/.test(lines[i + 1] ?? ""))
      add("drop a security field", `without ${key}`, { to: endOfBlock(lines, i) });
    if (field && /^(?:true|false)$/.test(value)) {
      const turned = value === "true" ? "false" : "true";
      add("weaken a security field", `${key}: ${turned}`, { lines: [`${indent}${key}: ${turned}`] });
    }
    if (isDefinition && validation.test(key))
      add("drop a validation", `without ${key}`, { to: endOfBlock(lines, i) });
    if (isRole && key === "verbs") {
      const listed = /^\[(.*)\]$/.exec(value)?.[1];
      if (listed !== undefined) {
        add("add a right", "verbs with delete", {
          lines: [`${indent}verbs: [${listed}, deletecollection]`],
        });
        const fewer = listed.split(", ").slice(0, -1);
        if (fewer.length > 0)
          add("drop a right", `verbs without ${listed.split(", ").at(-1)}`, {
            lines: [`${indent}verbs: [${fewer.join(", ")}]`],
          });
      } else {
        const item = lines[i + 1] ?? "";
        const verb = `${item.slice(0, item.indexOf("- "))}- deletecollection`;
        add("add a right", "verbs with delete", { lines: [line, verb] });
        add("drop a right", `verbs without ${item.trim()}`, { to: i + 2, lines: [line] });
      }
    }
    if (isRole && key === "rules")
      add("add a rule", "a rule for Secrets", {
        lines: [
          line,
          ...['- apiGroups: [""]', "  resources: [secrets]", "  verbs: [get, list]"].map(
            (one) => `${ruleIndent(lines, i)}${one}`,
          ),
        ],
      });
    if (key === "jsonPath") {
      const other = paths.find((path) => path !== value) ?? ".metadata.generation";
      add("swap a column", `${value} → ${other}`, { lines: [`${indent}jsonPath: ${other}`] });
    }
    if (/^\d+$/.test(value) && !/uid|gid|runAs/i.test(key))
      add("number", `${key}: ${value} → ${Number(value) + 1}`, {
        lines: [`${indent}${key}: ${Number(value) + 1}`],
      });
  });
  return found;
}

/** The same for markers in TypeScript, from which controller-gen writes roles and CRDs. */
export function mutateMarkers(source: string): LineChange[] {
  const found: LineChange[] = [];
  const columns = [...source.matchAll(/printcolumn:.*JSONPath="([^"]+)"/g)].map(([, path = ""]) => path);
  for (const match of source.matchAll(/\+kubebuilder:(\S.*)$/gm)) {
    const marker = match[1] ?? "";
    const at = match.index + "+kubebuilder:".length;
    const change = (operator: string, from: number, length: number, text: string): void => {
      found.push(lineChange(source, { operator, start: at + from, end: at + from + length, text }));
    };
    const verbs = /verbs=([\w;]+)/.exec(marker);
    if (marker.startsWith("rbac:") && verbs?.[1]) {
      const end = verbs.index + verbs[0].length;
      change("add a right", end, 0, ";deletecollection");
      const fewer = verbs[1].split(";").slice(1).join(";");
      if (fewer !== "") change("drop a right", verbs.index, verbs[0].length, `verbs=${fewer}`);
      change(
        "add a rule",
        marker.length,
        0,
        "\n// +kubebuilder:rbac:groups=core,resources=secrets,verbs=get;list",
      );
    }
    const column = /JSONPath="([^"]+)"/.exec(marker);
    if (column?.[1]) {
      const other = columns.find((path) => path !== column[1]) ?? ".metadata.generation";
      change("swap a column", column.index, column[0].length, `JSONPath="${other}"`);
    }
    const limit = /(?:Minimum|Maximum|MaxLength|MinLength|MaxItems|MinItems|default)=(\d+)$/.exec(marker);
    if (limit?.[1])
      change("number", marker.length - limit[1].length, limit[1].length, String(Number(limit[1]) + 1));
  }
  return found;
}

/** Returns one change for each marker of a type or field, which removes its line. */
export function dropMarkers(source: string): LineChange[] {
  return source.split("\n").flatMap((line, i) => {
    const marker = /^\s*(?:\*|\/\/) (\+(?:kubebuilder:|listType|optional|required)\S*)/.exec(line)?.[1];
    if (marker === undefined) return [];
    return [{ operator: "drop a marker", what: `without ${marker}`, from: i + 1, to: i + 1, lines: [] }];
  });
}

/** Returns one change for each prerequisite of a Makefile's targets, which removes it. */
export function mutateMakefile(source: string): LineChange[] {
  return source.split("\n").flatMap((line, i) => {
    const [, target = "", list = "", rest = ""] = /^([a-z][\w-]*):((?: [\w./-]+)+)(.*)$/.exec(line) ?? [];
    const all = list.trim().split(" ").filter(Boolean);
    return all.map((one) => ({
      operator: "drop a prerequisite",
      what: `${target} without ${one}`,
      from: i + 1,
      to: i + 1,
      lines: [[`${target}:`, ...all.filter((other) => other !== one)].join(" ") + rest],
    }));
  });
}

/** Returns the last line (from 1) of the block that begins at line `i` (from 0). */
function endOfBlock(lines: readonly string[], i: number): number {
  const width = (line: string): number => line.search(/\S/);
  const own = width((lines[i] ?? "").replace("- ", "  "));
  let end = i + 1;
  while (end < lines.length && (lines[end]?.trim() === "" || width(lines[end] ?? "") > own)) end++;
  while (lines[end - 1]?.trim() === "") end--;
  return end;
}

function ruleIndent(lines: readonly string[], i: number): string {
  return /^(\s*)- /.exec(lines.slice(i + 1).find((line) => /^\s*- /.test(line)) ?? "")?.[1] ?? "";
}
