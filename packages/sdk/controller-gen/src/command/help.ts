import { allMarkers } from "../markers/all-markers.ts";
import { generatorDefinitions } from "./options.ts";

export const helpText = `controller-gen generates Kubernetes manifests and code from TypeScript types with +kubebuilder markers.

  controller-gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases
  controller-gen object paths=./api/...
  controller-gen types crd.yaml output:dir=api/external

Types for the kinds of another project
  types      an interface and a Resource for each version of the CustomResourceDefinitions in the files

Generators
${generatorDefinitions.map(({ name, help, arguments: args }) => `  ${name.padEnd(10)}${help}${args.kind === "fields" ? fieldsLine(Object.keys(args.fields)) : ""}`).join("\n")}

Options
  paths=./api/...               folders to read; "..." includes subfolders; {./a,./b/...} for several. Default: .
  output:dir=<folder>           where to write all files; or stdout, none, artifacts:config=<folder>[,code=<folder>]
  output:<generator>:dir=…      the same for one generator

Flags
  --check                       write nothing; list the files that are out of date, and exit with code 1 if any
  -w, --which-markers           list all markers
  --version                     the version of controller-tools that this one matches
`;

function fieldsLine(fields: readonly string[]): string {
  return fields.length === 0 ? "" : `\n            ${fields.join(", ")}`;
}

/** Returns the text of --which-markers: each marker with its places and its help. */
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
