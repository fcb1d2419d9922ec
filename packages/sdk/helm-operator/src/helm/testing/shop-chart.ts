/** A chart that renders or fails as its values ask. */
export const shopChart: Readonly<Record<string, string>> = {
  "values.yaml": "size: 1\n",
  "values.schema.json": JSON.stringify({ properties: { size: { type: "integer", minimum: 0 } } }),
  "templates/NOTES.txt": "It is there, {{ .Values.size }} large.",
  "templates/test.yaml":
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations: {helm.sh/hook: test}\n",
  "templates/shop.yaml": [
    ...["apiVersion: v1", "kind: ConfigMap", "metadata:", "  name: {{ .Release.Name }}", "data:"],
    "  size: {{ .Values.size | quote }}",
    '  seen: {{ lookup "v1" "Namespace" "" "default" | toString | quote }}',
    "  {{- if .Values.owner }}",
    '  owner: {{ required "owner.name: say whose shop it is" .Values.owner.name }}',
    "  {{- end }}",
    "  {{- with .Values.failure }}",
    "  {{ fail . }}",
    "  {{- end }}",
    "  {{- if .Values.deep }}",
    "  deep: {{ .Values.a.b.c }}",
    "  {{- end }}",
    "  {{- if .Values.badYaml }}",
    " no: [",
    "  {{- end }}",
    "{{- if .Values.ownKind }}",
    "---",
    "{apiVersion: example.com/v1, kind: Shop, metadata: {name: mine}}",
    "{{- end }}",
  ].join("\n"),
};
