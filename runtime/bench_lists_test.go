package runtime_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// scanOf is an answer with as many tasks, whose files have no partition or a nil
// one.
func scanOf(tasks int, partition []generated.PrimitiveTypeValue) generated.FetchScanTasksResult {
	columns, values, offsets := []int64{1, 2, 3, 4}, []int64{1000, 2000, 3000, 4000}, []int64{4, 1 << 20}
	counts := &generated.CountMap{Keys: &columns, Values: &values}
	list := make([]generated.FileScanTask, tasks)
	for i := range list {
		list[i].DataFile = generated.DataFile{
			Content: "data", FileFormat: "parquet", FilePath: fmt.Sprintf("s3://lake/db/events/data/part-%06d.parquet", i),
			FileSizeInBytes: 1 << 24, RecordCount: 1 << 16, Partition: partition, SplitOffsets: &offsets,
			ColumnSizes: counts, ValueCounts: counts, NullValueCounts: counts,
		}
	}
	return generated.FetchScanTasksResult{FileScanTasks: &list}
}

// BenchmarkEncodeJSON tells what it costs that nil lists are empty ones: nothing
// but a look at the text when there are none.
func BenchmarkEncodeJSON(b *testing.B) {
	full, lacking := scanOf(5000, []generated.PrimitiveTypeValue{}), scanOf(5000, nil)
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			var text bytes.Buffer
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(full); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, body := range map[string]any{"full": full, "lacking": lacking} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := runtime.EncodeJSON(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
