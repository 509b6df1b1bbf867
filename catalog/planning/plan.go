package planning

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/generated"
)

const (
	// partSize is how many files an answer has, about a megabyte.
	partSize = 2000
	// maxParts is in how many answers a plan is told at most. Parts of a larger plan are larger, since each costs planning
	// all of it.
	maxParts = 16
)

// Plan is the files of a scan.
type Plan struct {
	scan     *Scan
	metadata table.Metadata
	schema   *iceberg.Schema
	filter   *filter
	tasks    []table.FileScanTask
}

// First is the first part of the plan, with tasks that stand for the others.
func (p *Plan) First() (generated.ScanTasks, error) {
	size := max(partSize, (len(p.tasks)+maxParts-1)/maxParts)
	first, err := p.part(0, min(size, len(p.tasks)))
	if err != nil || len(p.tasks) <= size {
		return first, err
	}
	var others []generated.PlanTask
	digest := p.digest()
	for from := size; from < len(p.tasks); from += size {
		task := Task{Scan: *p.scan, From: from, To: min(from+size, len(p.tasks)), Digest: digest}
		others = append(others, task.String())
	}
	first.PlanTasks = &others
	return first, nil
}

// Part is what a task stands for, [ErrGone] when the plan has other files than the one that the task is of.
func (p *Plan) Part(t *Task) (generated.ScanTasks, error) {
	if t.To > len(p.tasks) || t.Digest != p.digest() {
		return generated.ScanTasks{}, fmt.Errorf("%w: it finds other files now", ErrGone)
	}
	return p.part(t.From, t.To)
}

// digest tells lists of files apart.
func (p *Plan) digest() uint64 {
	h := fnv.New64a()
	for _, task := range p.tasks {
		_, _ = io.WriteString(h, task.File.FilePath())
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// part writes some of the files, and the delete files that they need, each of those once.
func (p *Plan) part(from, to int) (generated.ScanTasks, error) {
	w := writer{plan: p, numbers: map[deleteKey]int64{}}
	tasks := make([]generated.FileScanTask, 0, to-from)
	for _, task := range p.tasks[from:to] {
		written, err := w.task(task)
		if err != nil {
			return generated.ScanTasks{}, err
		}
		tasks = append(tasks, written)
	}
	all := generated.ScanTasks{FileScanTasks: &tasks}
	if len(w.deletes) > 0 {
		all.DeleteFiles = &w.deletes
	}
	return all, nil
}

// residual is what is left of the filter for the rows of a file. It is always written: some clients take none for no
// filter, and others cannot do without.
func (p *Plan) residual(task table.FileScanTask) (*generated.Predicate, error) {
	text := []byte(p.filter.text)
	if text == nil {
		text = []byte("true")
	}
	if p.filter.text != nil && p.filter.exact && p.scan.After == nil && task.Residual != nil {
		var err error
		if text, err = json.Marshal(task.Residual); err != nil {
			return nil, fmt.Errorf("write the residual of %s: %w", task.File.FilePath(), err)
		}
	}
	residual := new(generated.Predicate)
	return residual, residual.UnmarshalJSON(text)
}
