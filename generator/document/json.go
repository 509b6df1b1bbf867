package document

import (
	"bytes"
	"encoding/json"
)

// JSON writes the tree as JSON, members in their order.
func (n *Node) JSON() []byte {
	var out bytes.Buffer
	n.write(&out)
	return out.Bytes()
}

func (n *Node) write(out *bytes.Buffer) {
	switch n.Kind {
	case Object:
		n.writeObject(out)
	case Array:
		out.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				out.WriteByte(',')
			}
			item.write(out)
		}
		out.WriteByte(']')
	case String:
		writeString(out, n.Text)
	case Number, Bool:
		out.WriteString(n.Text)
	default:
		out.WriteString("null")
	}
}

func (n *Node) writeObject(out *bytes.Buffer) {
	out.WriteByte('{')
	for i, f := range n.Fields {
		if i > 0 {
			out.WriteByte(',')
		}
		writeString(out, f.Name)
		out.WriteByte(':')
		f.Value.write(out)
	}
	out.WriteByte('}')
}

func writeString(out *bytes.Buffer, text string) {
	quoted, _ := json.Marshal(text) // a string always has a JSON form
	out.Write(quoted)
}
