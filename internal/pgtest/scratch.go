package pgtest

import (
	"os"
	"syscall"
)

const (
	memoryDir = "/dev/shm"
	// memoryRoom is what must be free there: the WAL, the templates, and the databases of a few packages at once.
	memoryRoom = 8 << 30
	// tmpfs is the type of a file system in memory (statfs(2), TMPFS_MAGIC).
	tmpfs = 0x01021994
)

// scratchDir is where the test cluster lives: in memory where there is plenty, since making and removing databases is
// mostly making and removing files, else, or when TMPDIR says so, where temporary files go.
func scratchDir() string {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(memoryDir, &fs) == nil &&
		fs.Type == tmpfs && fs.Bavail*uint64(fs.Bsize) >= memoryRoom {
		return memoryDir
	}
	return os.TempDir()
}
