package main

import (
	"sync"
	"sync/atomic"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// quiet is how long nothing is written before the operator counts as settled; that of operator.ts.
const quiet = 2 * time.Second

// progress knows what was written, and when last.
type progress struct {
	objects    int
	reconciles atomic.Int64
	lastWrite  atomic.Int64
	lock       sync.Mutex
	done       map[string]struct{}
}

func newProgress(objects int) *progress {
	return &progress{objects: objects, done: map[string]struct{}{}}
}

func (p *progress) reconciled() { p.reconciles.Add(1) }

func (p *progress) wrote() { p.lastWrite.Store(monotonic().Nanoseconds()) }

func (p *progress) operation(result controllerutil.OperationResult) {
	if result != controllerutil.OperationResultNone {
		p.wrote()
	}
}

// finished tells that an object has all that it needs: its status is the last of the three writes.
func (p *progress) finished(key string) {
	p.wrote()
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done[key] = struct{}{}
}

// settled waits until all objects are done and nothing was written for a while, and returns when the last write was.
func (p *progress) settled() time.Duration {
	for ; ; time.Sleep(50 * time.Millisecond) {
		p.lock.Lock()
		all := len(p.done) >= p.objects
		p.lock.Unlock()
		last := time.Duration(p.lastWrite.Load())
		if all && monotonic()-last >= quiet {
			return last
		}
	}
}
