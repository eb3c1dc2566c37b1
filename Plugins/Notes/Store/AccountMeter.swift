import NotesDomain
import Synchronization
import System
import TextCRDT

/// What accounts have and may have, as a process knows it. What notes and attachments an account has is counted when it gets another one; what its
/// texts take is counted again after some seconds, since each keystroke asks.
final class AccountMeter: Sendable {
    /// What an account has, and its limits.
    struct Account: Sendable {
        var usage: AccountUsage
        var limits: AccountLimits
    }

    /// The code of the error that ``take(_:for:_:)`` throws.
    static let refusalCode = "account-limit"

    private static let interval = Duration.seconds(10)
    private static let maximumCount = 10_000

    /// The limits of accounts that have none of their own.
    let defaults: AccountLimits
    private let known = Mutex<[String: (account: Account, at: Instant)]>([:])

    init(_ defaults: AccountLimits = AccountLimits()) { self.defaults = defaults }

    /// Returns what is known of an account for `more`; nil if it has to be counted.
    func account(_ person: String, for more: AccountUsage, at now: Instant) -> Account? {
        guard more.notes == 0, more.attachments == 0 else { return nil }
        return known.withLock { known in
            guard let found = known[person], now - found.at < Self.interval, found.at <= now else { return nil }
            return found.account
        }
    }

    /// Keeps what was counted.
    func keep(_ account: Account, of person: String, at now: Instant) {
        known.withLock { known in
            if known.count >= Self.maximumCount { known = [:] }
            known[person] = (account, now)
        }
    }

    /// Forgets what was counted, since limits have changed.
    func forget(_ person: String) { known.withLock { $0[person] = nil } }

    /// Throws if an account may not have `more` as well; else it is added to what is known.
    func take(_ more: AccountUsage, for person: String, _ account: Account) throws(HubError) {
        if let refusal = account.limits.refusal(of: more, with: account.usage, by: person) {
            throw HubError(
                .invalid, code: Self.refusalCode, refusal, hint: "the administrator of the server can raise it")
        }
        known.withLock { known in
            if let usage = known[person]?.account.usage { known[person]?.account.usage = usage + more }
        }
    }
}

extension ServedRequest {
    /// The attachments that it adds to its note.
    var attached: [AttachmentReference] {
        if case .set(let change) = request.kind { change.attached } else { [] }
    }

    /// Whether it may add something to an account.
    var addsSomething: Bool { growth(isNew: false) != AccountUsage() || !attached.isEmpty }

    /// What it adds to the account of the owner of its note, or of who makes it, but for attachments.
    func growth(isNew: Bool) -> AccountUsage {
        switch request.kind {
        case .push(let patch): AccountUsage(notes: isNew ? 1 : 0, texts: patch.count)
        case .edit(let edit): AccountUsage(texts: edit.edits.reduce(0) { $0 + $1.inserted.utf8.count })
        default: AccountUsage()
        }
    }
}
