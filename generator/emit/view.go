package emit

import (
	"strings"

	"github.com/onceberg/onceberg/generator/oapi"
	"github.com/onceberg/onceberg/generator/plan"
)

// planView is the plan with the names that Go code gives things.
type planView struct {
	*plan.Plan
	Operations []operationView
}

type operationView struct{ plan.Operation }

func view(p *plan.Plan) planView {
	v := planView{Plan: p}
	for _, op := range p.Operations {
		v.Operations = append(v.Operations, operationView{op})
	}
	return v
}

// GoName is the operation's name in Go, as oapi-codegen forms it.
func (o operationView) GoName() string {
	return oapi.TypeName(o.ID)
}

// MethodName completes net/http's Method constants.
func (o operationView) MethodName() string {
	return o.Method[:1] + strings.ToLower(o.Method[1:])
}

// bodyShapes gives the shapes of each operation's body by Go name.
func (v planView) bodyShapes() map[string]plan.Operation {
	shapes := map[string]plan.Operation{}
	for _, op := range v.Operations {
		shapes[op.GoName()] = op.Operation
	}
	return shapes
}
