import { Document, visit } from "yaml";

/** Texts that go-yaml takes for something else, and that YAML 1.1's own rules leave without quotes. */
const special = /^([-+]?0o[0-7_]+|=)$/;

/**
 * YAML that kubectl reads as it was meant: it goes by YAML 1.1, in which `yes` and `on` are true, and `1:30` is 90. Keys are in order
 * where that is asked for, as Go writes tables.
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
