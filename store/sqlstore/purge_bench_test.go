package sqlstore_test

import "testing"

// BenchmarkPurge deletes expired rows, b.N of them.
func BenchmarkPurge(b *testing.B) {
	for _, d := range databases {
		b.Run(d.name, func(b *testing.B) {
			s := d.forBench(b)
			fill(b, s, b.N)
			b.ResetTimer()
			for total := 0; total < b.N; {
				n, err := s.PurgeExpired(b.Context(), 500)
				if err != nil {
					b.Fatal(err)
				}
				total += n
			}
		})
	}
}
