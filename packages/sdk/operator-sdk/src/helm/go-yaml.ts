import { Document, visit } from "yaml";

/** Strings that go-yaml reads as other types, but that the `yaml` package does not quote for YAML 1.1. */
const special = /^([-+]?0o[0-7_]+|=)$/;

/**
 * Returns a value as YAML that kubectl reads correctly. kubectl follows YAML 1.1, in which `yes` and `on` are
 * true and `1:30` is 90.
 *
 * @param options.sorted whether to sort keys, as Go does; default false
 */
export function formatGoYaml(value: unknown, { sorted = false }: { sorted?: boolean } = {}): string {
  const document = new Document(value, {
    ...{ version: "1.1", aliasDuplicateObjects: false, merge: false },
    sortMapEntries: sorted,
  });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && special.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ indentSeq: false, lineWidth: 0, directives: false });
}
