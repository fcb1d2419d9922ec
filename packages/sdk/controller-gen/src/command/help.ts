import { allMarkers } from "../markers/registry.ts";
import { generatorDefinitions } from "./options.ts";

export const helpText = `controller-gen makes Kubernetes' manifests, and code, of TypeScript types with +kubebuilder markers.

  controller-gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases
  controller-gen object paths=./api/...
  controller-gen types crd.yaml output:dir=api/external

Types of another project's kinds
  types      an interface and a Resource for each version in the CustomResourceDefinitions of the files

Generators
${generatorDefinitions.map(({ name, help, arguments: args }) => `  ${name.padEnd(10)}${help}${args.kind === "fields" ? fieldsLine(Object.keys(args.fields)) : ""}`).join("\n")}

Options
  paths=./api/...               folders to read, "..." with all below; {./a,./b/...} for several. Default: .
  output:dir=<folder>           where all files go; also stdout, none, artifacts:config=<folder>[,code=<folder>]
  output:<generator>:dir=…      for one generator alone

Flags
  --check                       write nothing; exit 1 and name the files that are not what the types say
  -w, --which-markers           the markers that there are
  --version                     the release of controller-tools that this one follows
`;

function fieldsLine(fields: readonly string[]): string {
  return fields.length === 0 ? "" : `\n            ${fields.join(", ")}`;
}

/** One marker a line. */
export function markersText(): string {
  const lines = allMarkers
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, targets, help, arguments: args }) => {
      const takes =
        args.kind === "fields" ? `:${Object.keys(args.fields).join(",")}` : args.kind === "none" ? "" : "=…";
      return `+${name}${takes}\n    on ${targets.join(", ")}: ${help}\n`;
    });
  return lines.join("");
}
