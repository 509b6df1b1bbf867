package runtime

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// compressFrom is the size from which compressing a body pays.
const compressFrom = 1 << 10

// The encoder and the decoder are safe for concurrent use in their stateless
// form, and start no goroutine in it. Neither constructor can fail on these
// options.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true))
		if err != nil {
			panic(err)
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxDecodedBody))
		if err != nil {
			panic(err)
		}
		return d
	})
)

func compress(body []byte) []byte {
	return encoder().EncodeAll(body, make([]byte, 0, len(body)/4))
}

// decompress fails on anything that compress did not make, or that grows beyond
// what may be stored.
func decompress(packed []byte) ([]byte, error) {
	return decoder().DecodeAll(packed, nil)
}
