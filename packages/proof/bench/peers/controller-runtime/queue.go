package main

import (
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// timedQueue is controller-runtime's own queue, and notes how long each request has been due before a worker took it:
// the histogram that it fills has buckets of powers of ten.
type timedQueue struct {
	priorityqueue.PriorityQueue[reconcile.Request]
	lock  sync.Mutex
	due   map[reconcile.Request]time.Time
	waits []time.Duration
}

func newTimedQueue() *timedQueue { return &timedQueue{due: map[reconcile.Request]time.Time{}} }

func (q *timedQueue) construct(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	q.PriorityQueue = priorityqueue.New(name, func(o *priorityqueue.Opts[reconcile.Request]) { o.RateLimiter = limiter })
	return q
}

func (q *timedQueue) note(request reconcile.Request, after time.Duration) {
	due := time.Now().Add(after)
	q.lock.Lock()
	defer q.lock.Unlock()
	if known, ok := q.due[request]; !ok || due.Before(known) {
		q.due[request] = due
	}
}

func (q *timedQueue) Add(request reconcile.Request) {
	q.note(request, 0)
	q.PriorityQueue.Add(request)
}

func (q *timedQueue) AddAfter(request reconcile.Request, after time.Duration) {
	q.note(request, after)
	q.PriorityQueue.AddAfter(request, after)
}

func (q *timedQueue) AddWithOpts(o priorityqueue.AddOpts, requests ...reconcile.Request) {
	for _, request := range requests {
		// A back-off is no wait in the line: it begins at 5 ms, and doubles.
		after := o.After
		if o.RateLimited {
			after += 5 * time.Millisecond << min(q.PriorityQueue.NumRequeues(request), 10)
		}
		q.note(request, after)
	}
	q.PriorityQueue.AddWithOpts(o, requests...)
}

func (q *timedQueue) Get() (reconcile.Request, bool) {
	request, _, shutdown := q.GetWithPriority()
	return request, shutdown
}

func (q *timedQueue) GetWithPriority() (reconcile.Request, int, bool) {
	request, priority, shutdown := q.PriorityQueue.GetWithPriority()
	q.lock.Lock()
	defer q.lock.Unlock()
	if due, ok := q.due[request]; ok && !shutdown {
		delete(q.due, request)
		q.waits = append(q.waits, max(0, time.Since(due)))
	}
	return request, priority, shutdown
}

// p99 of all waits.
func (q *timedQueue) p99() time.Duration {
	q.lock.Lock()
	defer q.lock.Unlock()
	waits := slices.Sorted(slices.Values(q.waits))
	return waits[min(len(waits)-1, len(waits)*99/100)]
}
