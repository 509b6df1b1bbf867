package settings

import "github.com/spf13/pflag"

// AddFlags adds a flag for every key.
func AddFlags(flags *pflag.FlagSet) {
	for _, key := range Keys {
		v := key.in(new(Settings))
		usage := key.About
		if _, ok := v.(choice); ok {
			usage += " (" + v.form() + ")"
		}
		f := flags.VarPF(&flagText{text: key.Default, value: v}, key.Name, "", usage)
		if _, ok := v.(truth); ok {
			f.NoOptDefVal = "true"
		}
	}
}

// flagText keeps what a flag was given, to be checked with everything else.
type flagText struct {
	text  string
	value value
}

func (f *flagText) Set(s string) error { f.text = s; return nil }
func (f *flagText) String() string     { return f.text }

// Type is what the help shows as the flag's value.
func (f *flagText) Type() string {
	switch f.value.(type) {
	case choice, level:
		return "word"
	case truth:
		return "bool"
	}
	return f.value.form()
}

func flagLayer(flags *pflag.FlagSet) layer {
	l := layer{}
	if flags == nil {
		return l
	}
	flags.Visit(func(f *pflag.Flag) {
		if _, known := find(f.Name); known {
			l[f.Name] = entry{f.Value.String(), "--" + f.Name}
		}
	})
	return l
}
