package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/specimport"
)

func newSpec() *cobra.Command {
	spec := &cobra.Command{
		Use:   "spec",
		Short: "Work on the document itself",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return errors.New("spec: no command is named; there is import") },
	}
	spec.AddCommand(newSpecImport())
	return spec
}

func newSpecImport() *cobra.Command {
	var from, out string
	var provenance specimport.Provenance
	cmd := &cobra.Command{
		Use:   "import --from FILE",
		Short: "Keep a document's interface facts and drop its prose",
		Long: "import reads an upstream document and writes its interface facts: paths, operations,\n" +
			"parameters, schemas, statuses, media types, security. Descriptions, summaries,\n" +
			"examples and comments are dropped. The header of the result says where the facts\n" +
			"come from. Importing the result again changes nothing.",
		Example: "  gen spec import --from rest-catalog-open-api.yaml --repository github.com/apache/iceberg \\\n" +
			"      --path open-api/rest-catalog-open-api.yaml --revision 0e7a36d48f",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			source, err := generator.ReadSpec(from, cmd.InOrStdin())
			if err != nil {
				return err
			}
			keepOrigin(&provenance, out)
			text, err := specimport.Import(from, source, provenance)
			if err != nil {
				return err
			}
			if out == "-" {
				_, err = cmd.OutOrStdout().Write(text)
				return err
			}
			if err := replaceFile(out, text); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: imported from %s\n", out, from)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the upstream document; - reads standard input")
	f.StringVar(&out, "out", "spec/rest-catalog-open-api.yaml", "where to write; - writes standard output")
	f.StringVar(&provenance.Repository, "repository", "", "repository the document comes from (default what the replaced file says)")
	f.StringVar(&provenance.Revision, "revision", "", "revision of that repository that the document was taken at")
	f.StringVar(&provenance.Path, "path", "", "path of the document in that repository (default what the replaced file says)")
	if err := cmd.MarkFlagRequired("from"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

// keepOrigin takes from the file about to be replaced where the document lives.
// Its revision is not taken: that is what an import changes.
func keepOrigin(p *specimport.Provenance, out string) {
	old, err := os.ReadFile(out)
	if err != nil {
		return // nothing to keep
	}
	if earlier, _, imported := specimport.ReadProvenance(old); imported {
		p.Repository = cmp.Or(p.Repository, earlier.Repository)
		p.Path = cmp.Or(p.Path, earlier.Path)
	}
}

// replaceFile writes a file whole or not at all. Its folder need not be there.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(temp.Name()) // gone already once it was moved
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
