module record-work-queues

go 1.26

require (
	k8s.io/client-go v0.36.3
	sigs.k8s.io/controller-runtime v0.24.1
)
