// Package v1 serves webhooks.
package v1

// +kubebuilder:webhook:path=/mutate-cache-example-com-v1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1,name=mmemcached-v1.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/mutate-core-v1-pod,mutating=true,failurePolicy=Ignore,matchPolicy=equivalent,sideEffects=NoneOnDryRun,timeoutSeconds=5,groups=core,resources=pods;pods/status,verbs=*,versions=*,name=apod.kb.io,admissionReviewVersions={v1,v1beta1},reinvocationPolicy=ifneeded

// Default sets defaults.
func Default() {}

// +kubebuilder:webhook:verbs=create;update;delete,path=/validate-cache-example-com-v1-memcached,mutating=false,failurePolicy=fail,matchPolicy=Exact,groups=cache.example.com,resources=memcacheds,versions=v1;v2,name=vmemcached-v1.kb.io,sideEffects=None,admissionReviewVersions=v1,serviceName=my-service,serviceNamespace=my-namespace,servicePort=9443
// +kubebuilder:webhook:url="https://example.com:8443/validate",mutating=false,failurePolicy=fail,groups="",resources=configmaps,verbs=connect,versions=v1,name=external.kb.io,sideEffects=None,admissionReviewVersions=v1,webhookVersions=v1
// +kubebuilder:webhookconfiguration:mutating=false,name=my-validation

// Validate validates.
func Validate() {}
