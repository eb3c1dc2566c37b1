package import Commands

/// The result of syncing one account, server, recorder or board.
package struct SyncResult: Sendable {
    /// The name of the account or device.
    package var name: String
    /// The result, in one line: `received 12 new; sent 2 changed`, `up to date`.
    package var text: String
    /// The duration of the sync.
    package var duration: Duration
    /// Lines below it.
    package var details: [String]
    /// Notes that need the user's attention.
    package var notes: [Diagnostic]
    /// The error; nil for success.
    package var failure: HubError?
    /// Whether a decision is left to the user.
    package var isPartial: Bool

    package init(
        _ name: String, _ text: String, duration: Duration, details: [String] = [], notes: [Diagnostic] = [],
        failure: HubError? = nil, isPartial: Bool = false
    ) {
        self.name = name
        self.text = text
        self.duration = duration
        self.details = details
        self.notes = notes
        self.failure = failure
        self.isPartial = isPartial
    }
}

extension SyncResult {
    /// The fields of a result in every form.
    package static let fields = [
        Field<SyncResult>("name", "NAME", help: "account, server or device") { .text($0.name) },
        Field<SyncResult>("result", "RESULT", help: "result of the sync") { .text($0.text) },
        Field<SyncResult>("seconds", "TIME", help: "duration in seconds", align: .trailing) {
            .decimal($0.seconds)
        },
        Field<SyncResult>("error", "ERROR", help: "reason of the failure", column: .onRequest) {
            .text($0.failure?.message ?? "")
        },
    ]

    /// The seconds with one decimal digit.
    private var seconds: String {
        let tenths = duration.milliseconds / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns the output of a command that synced `results`: a line each, then what needs attention.
    ///
    /// When all of them failed it throws the first failure with the others below it.
    package static func output(_ results: [SyncResult], empty: Diagnostic) throws -> Output {
        if !results.isEmpty, results.allSatisfy({ $0.failure != nil }), var failure = results[0].failure {
            failure.details += results.dropFirst().compactMap { $0.failure?.message }
            throw failure
        }
        var output = Output(.rows(Rows(results, fields)))
        let width = results.map { DisplayWidth.of($0.name) }.max() ?? 0
        output.human = results.flatMap { $0.lines(width: width) }
        output.isReport = true
        if results.isEmpty { output.notes.append(empty) }
        for result in results {
            output.notes += result.notes
            if let failure = result.failure {
                let reason = failure.details.first.map { ": \($0)" } ?? ""
                output.notes.append(.warning(failure.message + reason, code: failure.code, hint: failure.hint))
            }
            if result.failure != nil || result.isPartial { output.exit = .partly }
        }
        return output
    }

    /// The minimum width of a line, with the seconds at its end.
    private static let lineWidth = 77

    private func lines(width: Int) -> [String] {
        let start = name.padded(to: width + 2) + text
        let time = "\(seconds) s"
        let gap = max(Self.lineWidth - DisplayWidth.of(start) - time.count, 2)
        return [start + String(repeating: " ", count: gap) + time] + details.map { "  " + $0 }
    }
}

/// A plugin's part of `hub sync`: everything outside that it exchanges with, one result each.
package struct SyncProvider: Sendable {
    /// Syncs the accounts of the plugin and returns one result per account.
    package let sync: @Sendable (any PluginHost, Input) async throws -> [SyncResult]
    /// Says of the items whose ids begin so what they are here and in the accounts.
    package let explain: @Sendable (any PluginHost, _ prefix: String) async throws -> [ItemExplanation]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(
        _ body: @escaping @Sendable (P, Input) async throws -> [SyncResult],
        explain: @escaping @Sendable (P, _ prefix: String) async throws -> [ItemExplanation] = { _, _ in [] }
    ) {
        sync = { host, input in try await body(host.plugin(P.self), input) }
        self.explain = { host, prefix in try await explain(host.plugin(P.self), prefix) }
    }
}

/// The state of one account, server, recorder or board.
package struct StatusLine: Sendable {
    /// The name of the account or device.
    package let name: String
    /// One word or two: `synced`, `failing`, `never synced`.
    package let state: String
    /// Details: its age, pending changes, the reason of a failure.
    package let detail: String

    package init(_ name: String, state: String, detail: String) {
        self.name = name
        self.state = state
        self.detail = detail
    }
}

/// A plugin's part of `hub status`: a line for each account or device.
package struct StatusProvider: Sendable {
    /// Returns the status lines of the plugin's accounts.
    package let lines: @Sendable (any PluginHost) async throws -> [StatusLine]

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(_ body: @escaping @Sendable (P) async throws -> [StatusLine]) {
        lines = { host in try await body(host.plugin(P.self)) }
    }
}
