/**
 * Measures controller-gen with fifty kinds, each with a Pod template. Runs it in separate processes, and
 * prints the time from start to end and the processor time.
 *
 * pnpm --filter @operator-path/controller-gen build
 * node packages/sdk/controller-gen/scripts/measure.ts
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "controller-gen-"));
const api = join(folder, "api/v1");
mkdirSync(api, { recursive: true });
writeFileSync(
  join(api, "groupversion.info.ts"),
  "// +groupName=fifty.example.com\nexport const groupVersion = {};\n",
);
for (let index = 0; index < 50; index++) {
  writeFileSync(
    join(api, `kind${index}.types.ts`),
    `import type { Condition, int32, KubeObject, PodTemplateSpec, ResourceRequirements } from "@operator-path/controller-gen/types";

/** The spec of number ${index}. */
export interface Kind${index}Spec {
  /**
   * How many.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:default=3
   */
  size?: int32;
  // +kubebuilder:validation:Pattern=\`^[a-z]+$\`
  name: string;
  template?: PodTemplateSpec;
  resources?: ResourceRequirements;
  mode?: "a" | "b";
  labels?: Record<string, string>;
}

export interface Kind${index}Status {
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}

/**
 * One of fifty.
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=\`.spec.size\`
 */
export interface Kind${index} extends KubeObject {
  spec?: Kind${index}Spec;
  status?: Kind${index}Status;
}
`,
  );
}

const atExit = `data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(JSON.stringify({wall:performance.now(),cpu:(user+system)/1000}))})`;
try {
  for (const args of [["crd"], ["crd", "object", "docs"]]) {
    const runs = Array.from({ length: 5 }, () => {
      rmSync(join(folder, "out"), { recursive: true, force: true });
      const line = execFileSync(
        "/bin/sh",
        [
          "-c",
          '"$0" "$@" 2>&1 >/dev/null',
          process.execPath,
          "--import",
          atExit,
          join(import.meta.dirname, "../bin/controller-gen.js"),
          ...args,
          "paths=./api/...",
          "output:dir=out",
        ],
        { cwd: folder },
      );
      return JSON.parse(line.toString()) as { wall: number; cpu: number };
    });
    const best = (key: "wall" | "cpu"): string =>
      (Math.min(...runs.map((run) => run[key])) / 1000).toFixed(2);
    console.log(`${args.join(" ")}: ${best("wall")} s, ${best("cpu")} s of processor time (the best of 5)`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
