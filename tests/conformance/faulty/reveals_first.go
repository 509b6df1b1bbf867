package faulty

// A server that refuses a key that was used before, and shows for what. Whoever
// finds a key in a log reads another one's table by it.
var revealsFirst = Fault{
	Name:  "shows the first answer when it refuses a used key",
	Fails: []string{"other-operation", "other-resource", "other-body", "other-principal"},
	install: func(s *server) {
		s.refuse = func(first *record) *answer {
			<-first.done
			if first.answer == nil {
				return usedBefore("The key belongs to another request")
			}
			return usedBefore("The key was used before, for " + string(first.answer.body))
		}
	},
}
