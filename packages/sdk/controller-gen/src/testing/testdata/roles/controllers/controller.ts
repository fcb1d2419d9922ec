/** Reconciler reconciles. */
export class Reconciler {
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch
  // +kubebuilder:rbac:groups="",resources=pods;services,verbs=list;get;watch
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;deletecollection
  // +kubebuilder:rbac:groups=apps;extensions,resources=replicasets,verbs=get
  // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=*
  // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get
  // +kubebuilder:rbac:groups=batch,resources=cronjobs,verbs=get
  // +kubebuilder:rbac:groups=batch2,resources=cronjobs,verbs=get

  /** Reconcile moves the world. */
  async reconcile(): Promise<void> {}
}

/**
 * The answer.
 *
 * +kubebuilder:rbac:groups=core,resources=configmaps,resourceNames=my-config;other,verbs=get
 * +kubebuilder:rbac:urls=/metrics;/healthz,verbs=get
 * +kubebuilder:rbac:urls=/readyz,verbs=get
 */
// +kubebuilder:rbac:groups=core,namespace=infra,resources=secrets,verbs=get;list;watch
// +kubebuilder:rbac:groups=core,namespace=infra,roleName=infra-writer,resources=secrets,verbs=update
// +kubebuilder:rbac:groups=core,namespace=apps,resources=secrets,verbs=get
// +kubebuilder:rbac:groups=core,roleName=other-role,resources=nodes,verbs=get
export const answer = 42;
