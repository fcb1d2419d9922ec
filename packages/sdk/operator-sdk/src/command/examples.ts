/** What follows the flags in `init --help`. */
export const initExamples = `
Examples:
  # A project in TypeScript
  $ operator-sdk init --domain example.com --repo github.com/example/memcached-operator

  # One that has Helm charts beside it, in the same manager
  $ operator-sdk init --plugins hybrid.helm.sdk.operatorframework.io --domain example.com \\
      --repo github.com/example/memcached-operator
`;

/** What follows the flags in `create api --help`. */
export const apiExamples = `
Examples:
  # Types in TypeScript, and their controller
  $ operator-sdk create api --group cache --version v1alpha1 --kind Memcached --resource --controller

  # A controller of a kind that Kubernetes has
  $ operator-sdk create api --group apps --version v1 --kind Deployment --resource=false --controller

  # A controller of another project's kind
  $ kubectl get crd certificates.cert-manager.io -o yaml > crd.yaml
  $ operator-sdk create api --group cert-manager.io --version v1 --kind Certificate --resource=false --controller \\
      --external-api-path crd.yaml

  # A kind whose objects are releases of a chart (in a hybrid project): a new chart
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --group cache --version v1alpha1 --kind Memcached

  # A folder, or an archive
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --group cache --version v1alpha1 --kind Memcached --helm-chart ../charts/memcached

  # A chart in a repository; without a kind it is charts/v1alpha1, Kind=Memcached, after the chart's name
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 \\
      --helm-chart memcached --helm-chart-repo https://charts.example.com --helm-chart-version 1.2.3
  $ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1 --helm-chart oci://registry.example.com/charts/memcached
`;
