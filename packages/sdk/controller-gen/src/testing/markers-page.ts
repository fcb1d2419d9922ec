import type { MarkerDefinition } from "../markers/definition.ts";
import { allMarkers } from "../markers/registry.ts";
import { itemsPrefix } from "../markers/schema-markers.ts";

const sections = ["On fields and types", "On fields", "On types", "On kinds", "On packages"] as const;

/** docs/markers.md, made of the definitions themselves. */
export function markersPage(): string {
  const parts = sections.map((title) => {
    const own = allMarkers.filter(
      (marker) => sectionOf(marker) === title && !marker.name.startsWith(itemsPrefix),
    );
    const rows = own
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        (marker) =>
          `| \`+${marker.name}${argumentsOf(marker)}\` | ${cell(marker.help)}${marker.repeatable ? "; may be repeated" : ""} |`,
      );
    return `## ${title}\n\n| Marker | |\n|-|-|\n${rows.join("\n")}\n`;
  });
  return `# Markers

<!-- Written by scripts/generate-markers-page.ts. -->

A marker is a line of a comment that begins with \`+\`. Those of a field or type stand in its comment, or above it; those of a package
in any comment that belongs to no field and no type. Strings are bare, in double quotes with Go's escapes, or in \`\` \`back quotes\` \`\`
without any, which is best for regular expressions. Lists are \`a;b\` or \`{a,b}\`, maps \`{key: value}\`.

Each marker below \`+kubebuilder:validation:\` on fields and types is there a second time below \`+kubebuilder:validation:items:\`, for the
items of a list. Arguments with a \`?\` may be left out. Markers of other tools (\`+genclient\`, \`+k8s:deepcopy-gen\`, \`+operator-sdk:…\`,
\`+kubebuilder:scaffold:…\`) say nothing here, and are passed over.

${parts.join("\n")}`;
}

function sectionOf({ targets }: MarkerDefinition): (typeof sections)[number] {
  if (targets.includes("root") && !targets.includes("type")) return "On kinds";
  if (targets.includes("type")) return targets.includes("field") ? "On fields and types" : "On types";
  return targets.includes("field") ? "On fields" : "On packages";
}

function argumentsOf({ arguments: args }: MarkerDefinition): string {
  switch (args.kind) {
    case "none":
      return "";
    case "json":
      return "=…";
    case "value":
      return args.argument.type === "slice" ? "=a;b" : "=…";
    case "fields":
      return `:${Object.entries(args.fields)
        .map(([name, { optional }]) => name + (optional ? "?" : ""))
        .join(",")}`;
  }
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
