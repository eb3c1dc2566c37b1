// The time zone of a process that links this library is UTC, as in the clocks of tests, wherever the machine is. Its
// child processes inherit that.
