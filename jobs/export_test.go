package jobs

// KeepRunningFrom makes a worker keep running sums from a small number of rows on.
func (w *RecomputeWorker) KeepRunningFrom(rows int) { w.folder.keepFrom = rows }
