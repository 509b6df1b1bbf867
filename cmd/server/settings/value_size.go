package settings

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a number of bytes, bare or in one of the units below.
type size struct {
	to  *int64
	max int64
}

var units = []struct {
	name  string
	bytes int64
}{{" GiB", 1 << 30}, {" MiB", 1 << 20}, {" KiB", 1 << 10}}

func (v size) form() string { return "size" }

func (v size) String() string {
	for _, unit := range units {
		if *v.to%unit.bytes == 0 && *v.to > 0 {
			return strconv.FormatInt(*v.to/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(*v.to, 10)
}

func (v size) set(s string) error {
	number, factor := s, int64(1)
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(s, strings.TrimSpace(unit.name)); ok {
			number, factor = strings.TrimRight(rest, " "), unit.bytes
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > v.max/factor {
		return mustBe(fmt.Sprintf("a size such as 65536, 64 KiB or 16 MiB, at least one byte and at most %s", size{&v.max, 0}))
	}
	*v.to = n * factor
	return nil
}
