import { describe, expect, it } from "vitest";
import { addedErrors, changedGates, compareSchemas, type OpenApiDocument } from "./changes.ts";
import { checklist } from "./checklist.ts";

const kind = (name: string) => [{ group: "apps", version: "v1", kind: name }];
const before: OpenApiDocument = {
  components: {
    schemas: {
      "io.k8s.api.apps.v1.Old": { "x-kubernetes-group-version-kind": kind("Old") },
      "io.k8s.api.apps.v1.Spec": {
        properties: {
          replicas: { default: 1 },
          gone: {},
          mode: { enum: ["A"] },
          host: { description: "A host." },
        },
      },
    },
  },
};
const after: OpenApiDocument = {
  components: {
    schemas: {
      "io.k8s.api.apps.v1.New": { "x-kubernetes-group-version-kind": kind("New"), properties: { spec: {} } },
      "io.k8s.api.apps.v1.NewList": { "x-kubernetes-group-version-kind": kind("NewList") },
      "io.k8s.api.apps.v1.Options": { "x-kubernetes-group-version-kind": [...kind("A"), ...kind("B")] },
      "io.k8s.api.apps.v1.Part": { properties: { a: {} } },
      "io.k8s.api.apps.v1.Spec": {
        required: ["mode"],
        properties: {
          replicas: { default: 2 },
          mode: { enum: ["A", "B"] },
          host: { description: "Deprecated: use name." },
          name: {},
          address: {},
        },
      },
    },
  },
};
const schemas = compareSchemas([before], [after]);

describe("compareSchemas", () => {
  it("lists kinds, fields, defaults, constraints and deprecations", () => {
    expect(schemas).toEqual({
      addedKinds: ["apps/v1 New"],
      removedKinds: ["apps/v1 Old"],
      addedFields: ["apps/v1 Part", "apps/v1 Spec: address, name"],
      removedFields: ["apps/v1 Spec: gone"],
      defaults: ["apps/v1 Spec.replicas: 1 → 2"],
      constraints: ['apps/v1 Spec.mode: ["A"] → ["A","B"]', "apps/v1 Spec.mode: is required now"],
      deprecations: ["apps/v1 Spec.host"],
    });
  });

  it("finds no difference between a version and itself", () => {
    expect(Object.values(compareSchemas([after], [after])).flat()).toEqual([]);
  });
});

it("lists the gates of a minor version, with stage and default", () => {
  const source = [
    "\tNewGate: {",
    '\t\t{Version: version.MustParse("1.36"), Default: false, PreRelease: featuregate.Alpha},',
    '\t\t{Version: version.MustParse("1.37"), Default: true, PreRelease: featuregate.Beta},',
    "\t},",
    "",
    "\tapi.OldGate: {",
    '\t\t{Version: version.MustParse("1.36"), Default: true, PreRelease: featuregate.GA},',
    "\t},",
  ];
  expect(changedGates(`${source.join("\n")}\n`, "1.37")).toEqual(["NewGate: Beta, on"]);
  expect(changedGates(`${source.join("\n")}\n`, "1.36")).toEqual(["NewGate: Alpha, off", "OldGate: GA, on"]);
});

it("lists the validation errors that only the new text has", () => {
  const error = '\terrs = append(errs, field.Required(path.Child("a"), ""))\n';
  const other = '\treturn field.Forbidden(path, "no")\n';
  expect(addedErrors(error, `${error}\tx := 1\n${other}`)).toEqual([other.trim()]);
});

it("prints a checklist in which a person finds everything", () => {
  const place = { file: "a.md", found: "1.36.3", expected: "1.37.2", redo: "record again" };
  const text = checklist({
    from: "1.36.3",
    to: "1.37.2",
    notes: ["npm has no package"],
    changes: {
      schemas,
      gates: ["NewGate: Beta, on"],
      validations: new Map([["pkg/apis/apps/validation/validation.go", ["field.Required()"]]]),
      defaulting: ["pkg/apis/apps/v1/defaults.go"],
    },
    findings: [],
    generators: [{ command: ["go", "test", "."], in: "go", writes: [], needs: "a control plane" }],
    differences: [1, 2, 3, 4, 5, 6, 7].map((line) => ({ ...place, line })),
  });
  for (const part of [
    "# From Kubernetes 1.36.3 to 1.37.2",
    "- [ ] npm has no package",
    "- [ ] apps/v1 New",
    "- [ ] apps/v1 Spec.replicas: 1 → 2",
    "- [ ] NewGate: Beta, on",
    "- [ ] pkg/apis/apps/validation/validation.go:\n      field.Required()",
    "- [ ] pkg/apis/apps/v1/defaults.go",
    "## Differences that generators found\n\nNone.",
    "- [ ] `cd go && go test .`\n      needs a control plane",
    "- [ ] record again:\n      a.md:1, 2, 3, 4, 5 and 2 more (1.36.3)",
  ])
    expect(text).toContain(part);
});
