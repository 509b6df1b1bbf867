package planning

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/iceberg-go"
)

// maxDecimal is how long the text of a decimal may be, and how large its exponent: far beyond the 38 digits there are.
const maxDecimal = 100

// decimalOf reads a decimal without rounding it.
func decimalOf(value any, t iceberg.DecimalType) (iceberg.Literal, error) {
	text, ok := scalar(value)
	if !ok || len(text) > maxDecimal || strings.ContainsAny(text, "/_xXpP") {
		return nil, notOf(value, t)
	}
	if _, exponent, has := strings.Cut(strings.ToLower(text), "e"); has {
		if n, err := strconv.Atoi(exponent); err != nil || n > maxDecimal || n < -maxDecimal {
			return nil, notOf(value, t)
		}
	}
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, notOf(value, t)
	}
	ten := big.NewInt(10)
	number.Mul(number, new(big.Rat).SetInt(new(big.Int).Exp(ten, big.NewInt(int64(t.Scale())), nil)))
	limit := new(big.Int).Exp(ten, big.NewInt(int64(t.Precision())), nil)
	if !number.IsInt() || number.Num().CmpAbs(limit) >= 0 {
		return nil, fmt.Errorf("%s does not fit %s exactly", shown(value), t)
	}
	return iceberg.DecimalLiteral{Val: decimal128.FromBigInt(number.Num()), Scale: t.Scale()}, nil
}
