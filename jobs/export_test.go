package jobs

// KeepRunningFrom makes a worker keep running sums from a small number of parties on.
func (w *RecomputeWorker) KeepRunningFrom(parties int) { w.folder.keepFrom = parties }
