import { allMarkers, itemsPrefix } from "../markers/all-markers.ts";
import type { MarkerDefinition } from "../markers/definition.ts";

const sections = ["On fields and types", "On fields", "On types", "On kinds", "On packages"] as const;

/** Returns the text of docs/markers.md. */
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

A marker is a line of a comment that begins with \`+\`.

- A marker of a field or type is in its comment, or in the comment above that one.
- A marker of a package is in any comment that does not belong to a field or type.
- A string has no quotes, double quotes with Go's escapes, or \`\` \`back quotes\` \`\` without escapes. Use back quotes for regular expressions.
- A list is \`a;b\` or \`{a,b}\`, and a map is \`{key: value}\`.
- An argument with a \`?\` is optional.

Each marker with the prefix \`+kubebuilder:validation:\` on fields and types also exists with the prefix
\`+kubebuilder:validation:items:\`, for the items of a list. controller-gen ignores markers of other tools: \`+genclient\`,
\`+k8s:deepcopy-gen\`, \`+operator-sdk:…\`, \`+kubebuilder:scaffold:…\`.

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
