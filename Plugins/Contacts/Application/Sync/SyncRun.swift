import ContactsDomain
import HubKit
import Links

/// One sync of one book, from the first question to the last commit.
struct SyncRun: Sendable {
    let contacts: ContactStore
    let book: Book
    let link: any AddressBookLink
    let options: SyncOptions
    let operation: Operation

    func callAsFunction(_ progress: @escaping @Sendable (SyncProgress) -> Void) async throws -> BookSyncReport {
        let position = try await contacts.read { [book] in try $0.syncPosition(of: book.id) }
        let (isFirst, rules) = (position.token == nil && position.state == nil, contacts.rules)
        // What reads foreign names takes long to start: before a first sync it may as well do so while they answer.
        async let _: Void = { @concurrent () async in if isFirst { rules.open() } }()
        let state = try await link.state()
        let isUnchanged = state != nil && state == position.state
        if isUnchanged, try await contacts.read({ [book] in try !$0.hasSyncWork(in: book) }) {
            return BookSyncReport()
        }
        let changes = try await isUnchanged ? RemoteChanges(isComplete: false, entries: []) : listing(position.token)
        var work = SyncWork(run: self, rewrites: position.rewrites, tell: progress)
        try await work.begin(changes)
        try await work.finish()
        if work.engine.isComplete, !options.isDryRun, !isUnchanged {
            try await keep { [book] in try $0.setSyncPosition(of: book.id, token: changes.token, state: state) }
        }
        return work.report
    }

    /// What they list; all of it when they no longer know the token.
    private func listing(_ token: String?) async throws -> RemoteChanges {
        guard let token else { return try await link.changes(since: nil) }
        do {
            return try await link.changes(since: token)
        } catch LinkError.tokenExpired {
            return try await link.changes(since: nil)
        }
    }

    /// Writes what has no history.
    func keep(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        let unrecorded = Operation(operation.name, who: operation.who, kind: .cache)
        try await contacts.store.write(unrecorded, body)
    }
}
