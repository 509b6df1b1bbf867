package planning

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/generated"
)

// writer turns files into the document's, and numbers delete files.
type writer struct {
	plan    *Plan
	deletes []generated.DeleteFile
	numbers map[deleteKey]int64
}

// deleteKey is what makes a delete file one: a Puffin file has a deletion vector for each of several files.
type deleteKey struct {
	path   string
	offset int64
}

func (w *writer) task(task table.FileScanTask) (generated.FileScanTask, error) {
	var out generated.FileScanTask
	var err error
	if out.DataFile, err = w.data(task.File); err != nil {
		return out, err
	}
	var references []int64
	for _, files := range [][]iceberg.DataFile{task.DeleteFiles, task.EqualityDeleteFiles, task.DeletionVectorFiles} {
		for _, file := range files {
			number, err := w.number(file)
			if err != nil {
				return out, err
			}
			references = append(references, number)
		}
	}
	if references != nil {
		out.DeleteFileReferences = &references
	}
	out.ResidualFilter, err = w.plan.residual(task)
	return out, err
}

// number is the place of a delete file in the list.
func (w *writer) number(file iceberg.DataFile) (int64, error) {
	key := deleteKey{path: file.FilePath(), offset: -1}
	if offset := file.ContentOffset(); offset != nil {
		key.offset = *offset
	}
	number, ok := w.numbers[key]
	if ok {
		return number, nil
	}
	written, err := w.deleteFile(file)
	if err != nil {
		return 0, err
	}
	number = int64(len(w.deletes))
	w.numbers[key] = number
	w.deletes = append(w.deletes, written)
	return number, nil
}

func (w *writer) data(file iceberg.DataFile) (generated.DataFile, error) {
	partition, err := w.partition(file)
	return generated.DataFile{
		Content:         generated.DataFileContentData,
		FilePath:        file.FilePath(),
		FileFormat:      format(file),
		FileSizeInBytes: file.FileSizeBytes(),
		RecordCount:     file.Count(),
		SpecId:          int64(file.SpecID()),
		Partition:       partition,
		FirstRowId:      file.FirstRowID(),
		KeyMetadata:     key(file),
		SortOrderId:     sortOrder(file),
		SplitOffsets:    offsets(file),
		ColumnSizes:     w.counts(file.ColumnSizes),
		ValueCounts:     w.counts(file.ValueCounts),
		NullValueCounts: w.counts(file.NullValueCounts),
		NanValueCounts:  w.counts(file.NaNValueCounts),
		LowerBounds:     w.bounds(file.LowerBoundValues),
		UpperBounds:     w.bounds(file.UpperBoundValues),
	}, err
}

// positionDeletes adds what the document forgot and clients look for: without it, Java's refuses a deletion vector.
type positionDeletes struct {
	generated.PositionDeleteFile
	ReferencedDataFile *string `json:"referenced-data-file,omitempty"`
}

func (w *writer) deleteFile(file iceberg.DataFile) (written generated.DeleteFile, err error) {
	partition, err := w.partition(file)
	if err != nil {
		return written, err
	}
	position := generated.PositionDeleteFile{
		Content:            generated.PositionDeleteFileContentPositionDeletes,
		FilePath:           file.FilePath(),
		FileFormat:         format(file),
		FileSizeInBytes:    file.FileSizeBytes(),
		RecordCount:        file.Count(),
		SpecId:             int64(file.SpecID()),
		Partition:          partition,
		KeyMetadata:        key(file),
		SortOrderId:        sortOrder(file),
		SplitOffsets:       offsets(file),
		ContentOffset:      file.ContentOffset(),
		ContentSizeInBytes: file.ContentSizeInBytes(),
	}
	var text []byte
	switch content := file.ContentType(); content {
	case iceberg.EntryContentPosDeletes:
		text, err = json.Marshal(positionDeletes{position, file.ReferencedDataFile()})
	case iceberg.EntryContentEqDeletes:
		text, err = json.Marshal(equalityDeletes(position, file.EqualityFieldIDs()))
	default:
		err = fault.New(fault.Unsupported, "Delete file %s holds %s", file.FilePath(), content)
	}
	if err == nil {
		err = written.UnmarshalJSON(text)
	}
	return written, err
}

func equalityDeletes(p generated.PositionDeleteFile, fields []int) generated.EqualityDeleteFile {
	ids := wide(fields)
	return generated.EqualityDeleteFile{
		Content:         generated.EqualityDeleteFileContentEqualityDeletes,
		FilePath:        p.FilePath,
		FileFormat:      p.FileFormat,
		FileSizeInBytes: p.FileSizeInBytes,
		RecordCount:     p.RecordCount,
		SpecId:          p.SpecId,
		Partition:       p.Partition,
		KeyMetadata:     p.KeyMetadata,
		SortOrderId:     p.SortOrderId,
		SplitOffsets:    p.SplitOffsets,
		EqualityIds:     &ids,
	}
}

func format(file iceberg.DataFile) generated.FileFormat {
	return generated.FileFormat(strings.ToLower(string(file.FileFormat())))
}

func key(file iceberg.DataFile) *generated.BinaryTypeValue {
	if len(file.KeyMetadata()) == 0 {
		return nil
	}
	text := hexadecimal(file.KeyMetadata())
	return &text
}

func hexadecimal(raw []byte) string { return strings.ToUpper(hex.EncodeToString(raw)) }

func sortOrder(file iceberg.DataFile) *int64 {
	if file.SortOrderID() == nil {
		return nil
	}
	id := int64(*file.SortOrderID())
	return &id
}

func offsets(file iceberg.DataFile) *[]int64 {
	if at := file.SplitOffsets(); len(at) > 0 {
		return &at
	}
	return nil
}

func wide(ids []int) []int64 {
	all := make([]int64, len(ids))
	for i, id := range ids {
		all[i] = int64(id)
	}
	return all
}

// counts are those of the columns whose statistics are wanted, nil when there are none.
func (w *writer) counts(of func() map[int]int64) *generated.CountMap {
	keys, values := wanted(w.plan.scan.Stats, of)
	if keys == nil {
		return nil
	}
	return &generated.CountMap{Keys: &keys, Values: &values}
}

// bounds are as the manifest has them, in hexadecimal. The document would also have them as values of the columns' types,
// but Java's and Go's clients read nothing else.
func (w *writer) bounds(of func() map[int][]byte) *generated.ValueMap {
	keys, raw := wanted(w.plan.scan.Stats, of)
	if keys == nil {
		return nil
	}
	values := make([]generated.PrimitiveTypeValue, len(raw))
	for i, bound := range raw {
		// a text always fits
		_ = values[i].FromBinaryTypeValue(hexadecimal(bound))
	}
	return &generated.ValueMap{Keys: &keys, Values: &values}
}

// wanted picks the statistics of some columns, in the order of their ids.
func wanted[V any](ids []int, of func() map[int]V) (keys []int64, values []V) {
	if len(ids) == 0 {
		return nil, nil
	}
	all := of()
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(ids, id) {
			keys, values = append(keys, int64(id)), append(values, all[id])
		}
	}
	return keys, values
}

// partition writes the values of a file's partition in the order of its spec.
func (w *writer) partition(file iceberg.DataFile) ([]generated.PrimitiveTypeValue, error) {
	spec := w.plan.metadata.PartitionSpecByID(int(file.SpecID()))
	if spec == nil {
		return nil, fault.New(fault.Unsupported, "File %s has the unknown partition spec %d", file.FilePath(), file.SpecID())
	}
	values := make([]generated.PrimitiveTypeValue, 0, spec.NumFields())
	if spec.NumFields() == 0 {
		return values, nil
	}
	given := file.Partition()
	for _, field := range spec.Fields() {
		text, err := partitionValue(given[field.FieldID], w.plan.typeOf(field))
		if err != nil {
			return nil, fault.New(fault.Unsupported, "Partition field %s of %s: %w", field.Name, file.FilePath(), err)
		}
		var value generated.PrimitiveTypeValue
		if err := value.UnmarshalJSON(text); err != nil {
			return nil, fmt.Errorf("partition field %s: %w", field.Name, err)
		}
		values = append(values, value)
	}
	return values, nil
}

// typeOf is the type of a partition field, whose column may be in an older schema only; nil when it is in none.
func (p *Plan) typeOf(field iceberg.PartitionField) iceberg.Type {
	for _, schema := range append([]*iceberg.Schema{p.schema}, p.metadata.Schemas()...) {
		if source, ok := schema.FindTypeByID(field.SourceID()); ok {
			return field.Transform.ResultType(source)
		}
	}
	return nil
}
