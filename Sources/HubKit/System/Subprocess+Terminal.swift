import Glibc

extension Subprocess {
    /// Runs the program on this process's own terminal: an editor, a pager. Returns when it has ended.
    ///
    /// It stays in this process's group. So it is in the foreground when this process is, Ctrl-Z suspends both, and the
    /// shell's `fg` continues both. Ctrl-C and Ctrl-\ are the program's alone meanwhile. A pager gets as `input` the end
    /// of a pipe that it pages; the caller closes it afterwards.
    package func runOnTerminal(input: Int32 = 0) async throws(SubprocessError) -> Status {
        try await BackgroundThread.run { () throws(SubprocessError) in
            let restored = [SIGINT, SIGQUIT].map { number in (number, Subprocess.ignore(number)) }
            defer { for (number, action) in restored { Subprocess.restore(number, action) } }
            let child = try ChildProcess(self, input: input, output: 1, error: 2, ownGroup: false)
            var ended = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&ended, 1, -1) != 1 {}
            return child.reap()
        } whenRefused: {
            .notStarted($0)
        }
    }

    private static func ignore(_ number: Int32) -> sigaction {
        var (ignoring, before) = (sigaction(), sigaction())
        ignoring.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(number, &ignoring, &before)
        return before
    }

    private static func restore(_ number: Int32, _ action: sigaction) {
        var action = action
        sigaction(number, &action, nil)
    }
}
