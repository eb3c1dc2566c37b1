package import Commands
package import Storage

/// A command of the user that runs for each matching event: `hooks.NAME = { on = "…", run = "…" }`.
package struct CommandHook: Sendable, Equatable {
    /// The name chosen by the user.
    package let name: String
    /// The topics that start it.
    package let pattern: TopicPattern
    /// The command line, for `/bin/sh`.
    package let command: String

    /// The maximum time of one run. The next event waits meanwhile.
    static let timeout = Duration.seconds(30)
    /// The maximum output in bytes before it is stopped.
    static let outputLimit = 64 * 1024
    /// The maximum number of characters of its output that are logged.
    private static let loggedLength = 1000

    package init(name: String, pattern: TopicPattern, command: String) {
        self.name = name
        self.pattern = pattern
        self.command = command
    }

    /// The hook as a subscriber, which begins with the events after it was first seen.
    package func subscriber(log: Log) -> Subscriber {
        Subscriber(id: "hook.\(name)", summary: "runs \(command)", patterns: [pattern], comesToItsEnd: true) { event in
            try await run(event, log: log)
        }
    }

    private func run(_ event: StoredEvent, log: Log) async throws {
        var writer = JSONWriter()
        try event.write(to: &writer)
        writer.endLine()
        let finished = try await Subprocess.shell(command).run(
            input: writer.bytes, outputLimit: CommandHook.outputLimit, timeout: CommandHook.timeout)
        let said = CommandHook.excerpt(of: finished.output + finished.errorOutput)
        guard finished.status.isSuccess else { throw Failure(status: finished.status, said: said) }
        if !said.isEmpty { log.info("hook \(name), event \(event.sequence): \(said)") }
    }

    private static func excerpt(of output: [UInt8]) -> String {
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        return String(lines.joined(separator: " | ").prefix(loggedLength))
    }

    /// The command ended, and not well.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let status: Subprocess.Status
        let said: String

        var description: String {
            let end =
                switch status {
                case .exited(let code): "exit \(code)"
                case .signalled(let number): "killed by signal \(number)"
                }
            return said.isEmpty ? end : "\(end): \(said)"
        }
    }
}

extension CommandHook {
    /// The reason why an entry of `[hooks]` does not run.
    struct Flaw: Error, Equatable {
        /// The hook's name.
        let name: String
        /// The member it is about, `on` or `run`; nil when one is missing.
        let member: String?
        /// The message.
        let message: String
        /// The expected value.
        let note: String
    }

    /// The hooks of the config, and those that are not right. One that is not right stops no other.
    static func all(in config: Config) -> (hooks: [CommandHook], flaws: [Flaw]) {
        var (hooks, flaws): ([CommandHook], [Flaw]) = ([], [])
        for name in config.names(for: HubKeys.hookTopic) {
            do throws(Flaw) {
                hooks.append(
                    try CommandHook(
                        name: name, topic: config[HubKeys.hookTopic, name], command: config[HubKeys.hookCommand, name]
                    ))
            } catch {
                flaws.append(error)
            }
        }
        return (hooks, flaws)
    }

    /// The hook with the members `on` and `run` of an entry.
    init(name: String, topic: String?, command: String?) throws(Flaw) {
        guard let topic, let command else {
            throw Flaw(
                name: name, member: nil, message: "the hook \(name) needs \(topic == nil ? "\"on\"" : "\"run\"")",
                note: #"on = "app.contacts/birthday-upcoming", run = "notify-phone""#)
        }
        guard let pattern = TopicPattern(topic) else {
            throw Flaw(
                name: name, member: "on", message: "the hook \(name) has an invalid topic \"\(topic)\"",
                note: "topics look like app.contacts/birthday-upcoming; * matches any part")
        }
        guard command.contains(where: { !$0.isWhitespace }) else {
            throw Flaw(
                name: name, member: "run", message: "the hook \(name) has an empty command",
                note: "expected a shell command")
        }
        self.init(name: name, pattern: pattern, command: command)
    }
}
