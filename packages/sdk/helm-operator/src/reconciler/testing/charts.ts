import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes the files of a chart into a folder that is removed after the test. @returns its path */
export async function writeChart(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chart-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

export const chartYaml = "apiVersion: v2\nname: web\nversion: 0.1.0\n";

/**
 * A Deployment and a ConfigMap. `label` is in the Deployment's selector, which is immutable. Only a server
 * notices `broken`; `refuse` makes the template fail.
 */
export const webChart: Readonly<Record<string, string>> = {
  "Chart.yaml": chartYaml,
  "values.yaml": "replicas: 1\ncolour: red\nlabel: web\nbroken: false\nrefuse: false\n",
  "templates/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  colour: {{ .Values.colour }}
`,
  "templates/deployment.yaml": `{{- if .Values.refuse }}{{ fail "no such colour: octarine" }}{{ end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app: {{ .Values.label }}
  template:
    metadata:
      labels:
        app: {{ if .Values.broken }}another{{ else }}{{ .Values.label }}{{ end }}
    spec:
      containers:
        - name: web
          image: nginx
`,
};
