import Commands
package import Storage
package import Sync

/// An account with its sync state.
package struct AccountStatus<State: AccountDetails>: Sendable {
    /// The account as configured.
    package let setup: ConfiguredAccount
    /// The last sync; nil before the first.
    package let run: SyncLogEntry?
    /// The process that is syncing it now.
    package let holder: FileLock.Holder?
    /// Whether local changes are pending.
    package let isPending: Bool
    /// The data of the account here.
    package let state: State
    /// The time of the next sync by the background service; nil if there is none.
    package let nextAt: Instant?
    /// The time of this state.
    let now: Instant

    /// The name of the account.
    package var name: String { setup.name }

    /// The state in one word: `synced`, `syncing`, `failing`, `conflicts` or `new`.
    package var word: String {
        if holder != nil { return "syncing" }
        guard let run else { return "new" }
        if run.failures > 0 { return "failing" }
        return state.conflicts > 0 ? "conflicts" : "synced"
    }

    /// The time of the last sync, pending changes and errors.
    package var detail: String {
        var parts: [String] = []
        let words = RelativeTime(now: now, zone: .system)
        if let holder { parts.append("by \(holder.command)") }
        if let run {
            parts.append(words.words(for: Instant(milliseconds: run.finishedAt)))
            if let failure = run.failure {
                parts.append(failure)
                if let nextAt { parts.append("next try \(words.words(for: nextAt))") }
            }
        } else {
            parts.append("never synced")
        }
        if state.conflicts > 0 { parts.append(NumberFormat.counted(state.conflicts, "conflict")) }
        if isPending { parts.append("local changes will be sent with the next sync") }
        return (parts + state.remarks(isFailing: run?.failure != nil)).joined(separator: ", ")
    }

    /// Returns the columns of `accounts list` and `status`: `columns` of the plugin come before the state, those that
    /// are shown on request after it.
    static func fields(_ kind: AccountKind, columns: [Field<AccountStatus>]) -> [Field<AccountStatus>] {
        var fields = [Field<AccountStatus>("name", "NAME", help: "name of the \(kind.noun.one)") { .text($0.name) }]
        if let server = kind.addresses.server, let folder = kind.addresses.folder {
            fields.append(
                Field("kind", "KIND", help: "type of the \(kind.noun.one): \(server) or \(folder)", column: .ifRoom(3))
                {
                    FieldValue(kind.addresses.type(of: $0.setup.account))
                })
        }
        fields.append(
            Field("address", "ADDRESS", help: "address: \(kind.addresses.description)", column: .ifRoom(2)) {
                .text($0.setup.account.place)
            })
        if kind.addresses.server != nil {
            fields.append(
                Field("user", "USER", help: "user name on the server", column: .onRequest) {
                    FieldValue($0.setup.account.user)
                })
        }
        fields += columns.filter { $0.descriptor.column != .onRequest }
        fields += [
            Field(
                "state", "STATE", help: "state: synced, syncing, failing, conflicts or new",
                tone: { $0.word == "failing" ? .bad : $0.word == "conflicts" ? .warning : .plain }
            ) { .text($0.word) },
            Field("detail", "DETAIL", help: "last sync, pending changes and errors", column: .onRequest) {
                .text($0.detail)
            },
            Field("synced_at", "SYNCED", help: "time of the last sync") {
                FieldValue($0.run.map { Instant(milliseconds: $0.finishedAt) })
            },
        ]
        if kind.interval != nil {
            fields.append(
                Field("next_at", "NEXT", help: "time of the next sync by hub serve", column: .onRequest) {
                    FieldValue($0.nextAt)
                })
        }
        fields += columns.filter { $0.descriptor.column == .onRequest }
        fields.append(
            Field("waiting", "WAITING", help: "whether local changes are pending", column: .onRequest) {
                .bool($0.isPending)
            })
        return fields
    }
}
