/** The CRD and a resource of tutorial 01, as far as kubectl can tell. */
export const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: podbuggertools.ualter.com}
spec:
  group: ualter.com
  scope: Namespaced
  names: {plural: podbuggertools, singular: podbuggertool, kind: Podbuggertool, shortNames: [pbt]}
  versions:
    - name: v1beta1
      served: true
      storage: true
      subresources: {status: {}}
      additionalPrinterColumns:
        - {name: Label, type: string, jsonPath: .spec.label}
        - {name: Image, type: string, jsonPath: .spec.image}
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              description: What to install, and where.
              required: [label, image]
              properties:
                label: {type: string, pattern: '^[^=]+=.*$', description: Label of the Pods}
                image: {type: string, minLength: 1, description: Image of the tool}
            status: {type: object, properties: {installed: {type: integer}}}
`;

export function podbuggertool(spec: string, metadata = "name: a"): string {
  return `apiVersion: ualter.com/v1beta1\nkind: Podbuggertool\nmetadata: {${metadata}}\nspec: {${spec}}\n`;
}
