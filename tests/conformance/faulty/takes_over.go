package faulty

import "strings"

// A server that has one place for each key, and gives it to whoever came last: another
// principal's request takes the record of the first, whose retry is executed.
var takesOver = Fault{
	Name:  "gives a key's record to the principal who came last",
	Fails: []string{"other-principal"},
	install: func(s *server) {
		s.yields = func(first *record, binding string) bool {
			owner, same, _ := strings.Cut(first.binding, "\n")
			comer, asked, _ := strings.Cut(binding, "\n")
			return owner != comer && same == asked
		}
	},
}
