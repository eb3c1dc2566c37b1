package import Sync

/// One item here and in a collection of an account, and what the next sync does with it, by the rules of ``SyncEngine``. What is merged,
/// and how, is known to the plugin.
package struct AccountItem: Sendable {
    /// The name of the account.
    private let account: String
    /// The account with its collection: `posteo/Contacts`.
    private let place: String
    /// The item, in a few words.
    private let item: String
    /// The item there as it was last compared; nil if it never was.
    private let link: RemoteEntry?
    private let policy: SyncPolicy
    /// Why the item is not in the collection here, such as `in the trash`; nil if it is.
    package var absence: String?
    /// What has changed here since both were last equal, each change in words.
    package var here: [String] = []
    /// What has changed there since.
    package var there: [String] = []
    /// Whether it was removed there.
    package var isGone = false
    /// What it waits for; nil if it does not.
    package var wait: String?
    /// What follows where both sides are there, as the plugin has merged them; nil where the changes of both say it.
    package var merge: (next: String, why: String)?
    /// Why the account was not asked; nil if it was.
    package var failure: String?

    /// An item that is as it was on both sides. `collection` is empty for an account that is one.
    package init(_ item: String, in collection: String, of account: String, link: RemoteEntry?, _ policy: SyncPolicy) {
        self.account = account
        place = collection.isEmpty ? account : "\(account)/\(collection)"
        self.item = item
        self.link = link
        self.policy = policy
    }

    /// The item in words.
    package var explanation: ItemExplanation {
        let (next, why) = outcome
        let base =
            switch link {
            case nil: "never synced"
            case let link? where link.etag.isEmpty: "sent to \(link.href), and not seen there since"
            case let link?: "version \(link.etag) at \(link.href)"
            }
        func words(_ changes: [String]) -> String {
            changes.isEmpty ? "as it was" : changes.joined(separator: "; ")
        }
        return ItemExplanation(
            place: place, item: item, base: base, here: absence ?? (link == nil ? "there" : words(here)),
            there: failure != nil ? "not known" : link == nil ? "not there" : isGone ? "removed" : words(there),
            next: next, why: failure.map { "\(account) was not asked: \($0)" } ?? why)
    }

    private static let readOnly = (next: "nothing", why: "it is read-only there")

    private var outcome: (next: String, why: String) {
        if let wait { return ("waits", wait) }
        guard link != nil else {
            if let absence { return ("nothing", "it is \(absence)") }
            return policy.isReadOnly ? Self.readOnly : ("is added there", "it is new there")
        }
        switch (absence, isGone) {
        case (_?, true): return ("nothing", "it is on neither side any more")
        case (let absence?, false):
            if policy.isReadOnly { return ("comes back here", "it is read-only there") }
            if let merge { return merge }
            return there.isEmpty
                ? ("is removed there", "it is \(absence) here")
                : ("comes back here", "a change counts more than a removal")
        case (nil, true):
            if policy.remoteDeletion == .createsAgain {
                return ("is added there again", "a removal there removes nothing here")
            }
            return here.isEmpty
                ? ("goes to the trash here", "it was removed there")
                : ("is added there again", "a change counts more than a removal")
        case (nil, false): break
        }
        if let merge { return merge }
        switch (here.isEmpty, there.isEmpty) {
        case (true, true): return ("nothing", failure == nil ? "both are as they were" : "it is as it was here")
        case (false, true): return policy.isReadOnly ? Self.readOnly : ("is sent", "it was changed here")
        case (true, false): return ("is taken from there", "it was changed there")
        case (false, false): return ("both are merged", "they have changed different values")
        }
    }
}

extension AccountManager {
    /// Asks an account about items that are explained. Returns the reason instead where it cannot be asked.
    package func ask<Answer>(
        _ name: String, _ body: (Backend.Connection) async throws -> Answer
    ) async throws -> (answer: Answer?, failure: String?) {
        do {
            let setup = try registry.account(name)
            try registry.requireNetwork(for: setup.account)
            let connection = try await connect(to: setup, isBrief: true)
            return (try await attempting(setup.account) { try await body(connection) }, nil)
        } catch let error as HubError {
            return (nil, error.message)
        }
    }
}
