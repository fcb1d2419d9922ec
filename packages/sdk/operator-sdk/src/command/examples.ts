/** The text after the flags in `init --help`. */
export const initExamples = `
Examples:
  # Create a project in TypeScript
  $ operator-sdk init --domain example.com --repo github.com/example/memcached-operator

  # Create a project that also has Helm charts, in the same manager
  $ operator-sdk init --plugins hybrid.helm.sdk.operatorframework.io --domain example.com \\
      --repo github.com/example/memcached-operator
`;

/** The text after the flags in `create api --help`. */
export const apiExamples = `
Examples:
  # Add a kind in TypeScript, and its controller
  $ operator-sdk create api --group cache --version v1alpha1 --kind Memcached --resource --controller

  # Add a controller for a built-in kind
  $ operator-sdk create api --group apps --version v1 --kind Deployment --resource=false --controller

  # Add a controller for a kind of another project
  $ kubectl get crd certificates.cert-manager.io -o yaml > crd.yaml
  $ operator-sdk create api --group cert-manager.io --version v1 --kind Certificate --resource=false --controller \\
      --external-api-path crd.yaml

  # Add a kind whose objects are releases of a new chart (in a hybrid project)
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --group cache --version v1alpha1 --kind Memcached

  # Use a chart in a folder or an archive
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --group cache --version v1alpha1 --kind Memcached --helm-chart ../charts/memcached

  # Use a chart in a repository. The default is charts/v1alpha1, with the chart's name as kind
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --helm-chart memcached --helm-chart-repo https://charts.example.com --helm-chart-version 1.2.3
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 --helm-chart oci://registry.example.com/charts/memcached
`;
