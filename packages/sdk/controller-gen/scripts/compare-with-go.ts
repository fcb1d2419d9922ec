/**
 * Runs controller-tools' controller-gen on the Go types in src/testing/testdata, and compares its files with
 * those that this package generates from the TypeScript types beside them. Exits with code 1 if there is a
 * difference.
 *
 * node --conditions=@operator-path/source packages/sdk/controller-gen/scripts/compare-with-go.ts [--record]
 *
 * --record writes Go's files to src/testing/testdata/…/generated. The tests use these and need no Go. This
 * script needs Go and its module proxy.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectedFiles, generatedFiles, testCases, testdata } from "../src/testing/cases.ts";
import { differingMarkers, goMarkersFile, goMarkersOf } from "../src/testing/go-markers.ts";
import { controllerToolsVersion } from "../src/version.ts";

if (spawnSync("go", ["version"]).status === 0) process.exitCode = compare() ? 0 : 1;
else {
  console.error("this script needs Go 1.26 or later on the PATH, and its module proxy: https://go.dev/dl");
  process.exitCode = 1;
}

/** Compares all files and markers. Returns whether they are the same. */
function compare(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "controller-gen-"));
  try {
    const version = controllerToolsVersion;
    execFileSync("go", ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${version}`], {
      env: { ...process.env, GOBIN: folder },
      stdio: "inherit",
    });
    let different = 0;
    for (const { name, args } of testCases()) {
      const output = process.argv.includes("--record")
        ? join(testdata, name, "generated")
        : join(folder, name);
      rmSync(output, { recursive: true, force: true });
      execFileSync(join(folder, "controller-gen"), [...args, `paths=./${name}/...`, `output:dir=${output}`], {
        cwd: testdata,
        stdio: "inherit",
      });
      const go = process.argv.includes("--record") ? expectedFiles(name) : filesIn(output);
      const { files, problems } = generatedFiles(name, args);
      const same =
        problems.length === 0 && JSON.stringify([...go].sort()) === JSON.stringify([...files].sort());
      if (!same) different++;
      console.log(`${same ? "same     " : "DIFFERENT"} ${name}: ${go.size} files`);
    }
    const listing = execFileSync(join(folder, "controller-gen"), [
      "crd",
      "rbac:roleName=a",
      "webhook",
      "object",
      "-wwww",
    ]);
    const markers = goMarkersOf(listing.toString());
    if (process.argv.includes("--record")) {
      writeFileSync(goMarkersFile, `[\n${markers.map((marker) => JSON.stringify(marker)).join(",\n")}\n]\n`);
    }
    for (const difference of differingMarkers(markers)) {
      different++;
      console.log(`DIFFERENT ${difference}`);
    }
    console.log(`${markers.length} markers`);
    console.log(
      different === 0
        ? `all files and markers are the same as with controller-gen ${version}`
        : `${different} differ`,
    );
    return different === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesIn(path: string): Map<string, string> {
  return new Map(readdirSync(path).map((file) => [file, readFileSync(join(path, file), "utf8")]));
}
