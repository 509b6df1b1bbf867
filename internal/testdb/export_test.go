package testdb

// Sweep removes the folders of dead test processes.
func Sweep() { sweep() }

// FindNothing looks for a program that no machine has.
func FindNothing(name string) error {
	e := map[string]*engine{"PostgreSQL": postgres, "MariaDB": mariadb}[name]
	_, err := e.find("onceberg-no-such-program")
	return err
}
