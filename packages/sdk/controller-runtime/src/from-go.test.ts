import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const packages = join(import.meta.dirname, "../../..");
const page = readFileSync(join(packages, "../docs/from-go.md"), "utf8");

const indexes: Record<string, string> = {
  "": "sdk/controller-runtime/src",
  testing: "sdk/controller-runtime/src/testing",
  client: "sdk/client/src",
  "client testing": "sdk/client/src/testing",
  informers: "sdk/informers/src",
  cluster: "cluster/cluster/src/testing-cluster",
};

/** Maps an exported name to the source of its file, types included. */
function exportsOf(folder: string): Map<string, string> {
  const text = readFileSync(join(packages, folder, "index.ts"), "utf8");
  return new Map(
    [...text.matchAll(/export (?:type )?\{([^}]*)\} from "([^"]+)"/g)].flatMap(
      ([, names = "", from = ""]) => {
        const source = from.startsWith(".") ? readFileSync(join(packages, folder, from), "utf8") : "";
        return names
          .split(",")
          .map((name) => name.trim().replace(/^type /, ""))
          .filter((name) => name !== "")
          .map((name): [string, string] => [name, source]);
      },
    ),
  );
}

/**
 * Whether an interface has a member, directly, through a parent in the same file, or through an exported one.
 */
function hasMember(exported: Map<string, string>, name: string, member: string): boolean {
  const source = exported.get(name) ?? "";
  const [declaration, base] =
    new RegExp(`interface ${name}\\b(?:[^{]*?\\bextends (\\w+))?`).exec(source) ?? [];
  if (declaration === undefined) return false;
  if (new RegExp(`^  (readonly )?${member}[?(:<]`, "m").test(source)) return true;
  return base !== undefined && hasMember(exported, base, member);
}

const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Go "))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("has a row for each name that authors use", () => {
  expect(rows.length).toBeGreaterThan(200);
  const names = rows.map(([, go]) => go);
  expect(names.filter((go, index) => names.indexOf(go) !== index)).toEqual([]);
});

test.each(rows)("%s%s is %s", (_, _go, here = "", where = "") => {
  const folder = indexes[where];
  if (folder === undefined) throw new Error(`${where} is not one of ${Object.keys(indexes).join(", ")}`);
  const exported = exportsOf(folder);
  const names = [...here.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(names).not.toEqual([]);
  const missing = names.filter((name) => {
    const [own = "", member] = name.split(".");
    return !exported.has(own) || (member !== undefined && !hasMember(exported, own, member));
  });
  expect(missing).toEqual([]);
});
