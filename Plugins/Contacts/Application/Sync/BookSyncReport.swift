package import ContactsDomain
import Links

/// What a sync of one book did.
package struct BookSyncReport: Sendable {
    /// How many contacts went one way.
    package struct Counts: Hashable, Sendable {
        package var new = 0
        package var changed = 0
        package var removed = 0

        package var total: Int { new + changed + removed }
    }

    /// A contact that both sides changed in different ways.
    package struct KeptConflict: Sendable {
        package let contact: ContactSummary
        /// The fields, such as `phone mobile`.
        package let fields: [String]
    }

    /// A contact of which the other side kept less than it was sent.
    package struct Loss: Sendable {
        package let contact: ContactSummary
        /// The fields, such as `phone home`.
        package let fields: [String]
    }

    /// A contact that was not synced, and why.
    package struct Problem: Sendable {
        /// The contact; nil for a card that is only on the other side.
        package let contact: ContactSummary?
        package let cause: SyncProblem

        /// The reason in one sentence.
        package var text: String { cause.text }
    }

    /// What came from the other side.
    package internal(set) var received = Counts()
    /// What went to the other side.
    package internal(set) var sent = Counts()
    /// How many contacts were changed on both sides and merged by themselves.
    package internal(set) var merged = 0
    /// The conflicts that were found.
    package internal(set) var conflicts: [KeptConflict] = []
    /// What was left as it is, and was not before.
    package internal(set) var problems: [Problem] = []
    /// How many more items were left as they are, as in earlier syncs.
    package internal(set) var standing = 0
    /// What the book did not keep of what was sent.
    package internal(set) var losses: [Loss] = []
    /// Contacts that are only here, whose card came from the book as another contact.
    package internal(set) var twins: [ContactSummary] = []
    /// What a person did not agree to remove; nothing of it was.
    package internal(set) var withheld: SyncQuestion?
    /// How long it took.
    package internal(set) var duration = Duration.zero

    package init() {}

    /// Whether nothing went either way.
    package var isUpToDate: Bool { received.total + sent.total + merged == 0 && conflicts.isEmpty }

    /// Whether a person should look at something.
    package var needsLook: Bool { !conflicts.isEmpty || !problems.isEmpty || withheld != nil }
}

extension SyncProblem {
    /// The kind of the reason, for programs and to tell an old problem from a new one.
    var code: String {
        switch reason {
        case .readOnly: "read-only"
        case .readOnlyRemoval: "read-only-removal"
        case .refused(let refusal): refusal.code
        case .notRemovable(let refusal): "removal-\(refusal.code)"
        case .sameUID: "same-uid"
        case .sameUIDHere: "same-uid-here"
        case .busy: "busy"
        case .unreadable: "unreadable"
        case .unfetchable: "unfetchable"
        }
    }

    /// What it concerns: a contact, or a card of theirs.
    var item: String { reason == .sameUID ? href ?? contact ?? "" : contact ?? href ?? "" }

    /// The reason in one sentence.
    package var text: String {
        switch reason {
        case .readOnly: "the address book is read-only; your changes are not sent"
        case .readOnlyRemoval: "the address book is read-only; the contact is removed here only"
        case .refused(let refusal): "not sent: \(refusal.words)"
        case .notRemovable(let refusal): "could not be removed there: \(refusal.words)"
        case .sameUID: "another card there has the same UID\(href.map { " (\($0))" } ?? "")"
        case .sameUIDHere: "another contact here has the same UID; hub contacts duplicates shows both"
        case .busy: "it keeps changing there; the next sync tries again"
        case .unreadable: "\(href ?? "its file") is not a valid vCard; nothing is sent until it is one"
        case .unfetchable(let reason):
            "\(href ?? "its card") could not be fetched (\(reason)); the next sync tries again"
        }
    }
}

extension ItemRefusal {
    /// The kind of the refusal.
    var code: String {
        switch self {
        case .version: "version-refused"
        case .invalid: "invalid"
        case .tooLarge: "too-large"
        case .notAllowed: "not-allowed"
        case .serverError: "server-error"
        case .failed: "failed"
        }
    }

    /// What a person should know and can do.
    var words: String {
        switch self {
        case .version(let reason): "the server does not accept this vCard version (\(reason))"
        case .invalid(let reason): "the server rejected it as invalid (\(reason)); correct or remove the field it names"
        case .tooLarge(let reason): "too large for the server (\(reason)); a smaller picture may help"
        case .notAllowed(let reason): "no permission to change it there (\(reason))"
        case .serverError(let reason): "internal error of the server for this card (\(reason))"
        case .failed(let reason): "the server rejected it (\(reason)); the next sync tries again"
        }
    }
}
