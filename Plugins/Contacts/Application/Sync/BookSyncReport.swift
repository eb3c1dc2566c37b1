package import ContactsDomain
package import Sync

/// The result of syncing one book.
package struct BookSyncReport: Sendable {
    /// The number of contacts in one direction.
    package typealias Counts = SyncLogEntry.Counts

    /// A contact with conflicting changes on both sides.
    package struct KeptConflict: Sendable {
        /// The contact with both changes.
        package let contact: ContactSummary
        /// The conflicting fields, such as `phone mobile`.
        package let fields: [String]
    }

    /// A sent contact that the server did not store completely.
    package struct Loss: Sendable {
        /// The contact that was sent.
        package let contact: ContactSummary
        /// The missing fields, such as `phone home`.
        package let fields: [String]
    }

    /// A contact whose picture was too large for the account.
    package struct Picture: Sendable {
        /// The contact, which keeps its picture.
        package let contact: ContactSummary
        /// The size of the picture that was sent instead, in bytes; nil if it was sent as it is.
        package let size: Int?
        /// The reason why it could not be made smaller.
        package let reason: PictureScaler.Failure?
    }

    /// A contact that was not synced, with the reason.
    package struct Problem: Sendable {
        /// The contact; nil for a card that exists only on the remote side.
        package let contact: ContactSummary?
        /// The problem as the engine reported it.
        package let cause: SyncProblem<String>

        /// The reason in one sentence.
        package var text: String { cause.text }
    }

    /// The received changes.
    package internal(set) var received = Counts()
    /// The sent changes.
    package internal(set) var sent = Counts()
    /// The number of contacts that were changed on both sides and merged automatically.
    package internal(set) var merged = 0
    /// The new conflicts.
    package internal(set) var conflicts: [KeptConflict] = []
    /// The items that were skipped for the first time.
    package internal(set) var problems: [Problem] = []
    /// The number of items that were skipped, as in earlier syncs.
    package internal(set) var standing = 0
    /// The sent contacts that the book did not store completely.
    package internal(set) var losses: [Loss] = []
    /// The contacts whose picture was too large for the account.
    package internal(set) var pictures: [Picture] = []
    /// The contacts in no book that have the same `UID` as a received card.
    package internal(set) var twins: [ContactSummary] = []
    /// The removals that the user did not confirm; none of them was done.
    package internal(set) var withheld: SyncQuestion?
    /// The number of tags and memberships in groups that a sync would change, if it is only a plan.
    package internal(set) var plannedTags = 0
    /// The duration.
    package internal(set) var duration = Duration.zero

    package init() {}

    /// Adds the result of a further sync of the book.
    mutating func add(_ next: BookSyncReport) {
        received.add(next.received)
        sent.add(next.sent)
        merged += next.merged
        conflicts += next.conflicts
        problems += next.problems
        standing = max(0, next.standing - problems.count)
        losses += next.losses
        pictures += next.pictures
        twins += next.twins
        withheld = next.withheld
        duration += next.duration
    }
}

extension BookSyncReport.Counts {
    mutating func add(_ counts: BookSyncReport.Counts) {
        new += counts.new
        changed += counts.changed
        removed += counts.removed
    }
}

extension [BookSyncReport.Loss] {
    /// Leaves out that tags were not stored.
    mutating func removeLossOfTags() {
        self = compactMap { loss in
            let fields = loss.fields.filter { $0 != ContactField.tag.rawValue }
            return fields.isEmpty ? nil : BookSyncReport.Loss(contact: loss.contact, fields: fields)
        }
    }
}

extension SyncProblem<String> {
    /// The code of remote cards that have the `UID` of another one.
    static var sameUIDCode: String { "same-uid" }

    /// The code of the reason, which also distinguishes new problems from known ones.
    var code: String {
        switch reason {
        case .readOnly: "read-only"
        case .readOnlyRemoval: "read-only-removal"
        case .refused(let refusal): refusal.code
        case .notRemovable(let refusal): "removal-\(refusal.code)"
        case .sameUID: Self.sameUIDCode
        case .sameUIDHere: "same-uid-here"
        case .busy: "busy"
        case .etagRefused: "etag-refused"
        case .changedHere: "changed-here"
        case .unreadable: "unreadable"
        case .unfetchable: "unfetchable"
        }
    }

    /// The id of the contact, or the path of the card.
    var item: String { reason == .sameUID ? href ?? id ?? "" : id ?? href ?? "" }

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
        case .etagRefused:
            "the server says that it changed there (status 412), but it has not: it does not accept its own ETag; your "
                + "change is kept here, and the next sync tries again"
        case .changedHere: "it was changed here meanwhile; the next sync compares it"
        case .unreadable: "\(href ?? "its file") is not a valid vCard; nothing is sent until it is one"
        case .unfetchable(let reason):
            "\(href ?? "its card") could not be fetched (\(reason)); the next sync tries again"
        }
    }
}

extension ItemRefusal {
    /// The code of the refusal.
    var code: String {
        switch self {
        case .version: "version-refused"
        case .invalid: "invalid"
        case .tooLarge: "too-large"
        case .noSpace: "no-space"
        case .notAllowed: "not-allowed"
        case .serverError: "server-error"
        case .failed: "failed"
        }
    }

    /// The reason and what to do about it.
    var words: String {
        switch self {
        case .version(let reason): "the server does not accept this vCard version (\(reason))"
        case .invalid(let reason): "the server rejected it as invalid (\(reason)); correct or remove the field it names"
        case .tooLarge(let reason): "too large for the server (\(reason)); a smaller picture may help"
        case .noSpace(let reason):
            "the server has no room left for this account (\(reason)); free some there, the next sync tries again"
        case .notAllowed(let reason): "no permission to change it there (\(reason))"
        case .serverError(let reason): "internal error of the server for this card (\(reason))"
        case .failed(let reason): "the server rejected it (\(reason)); the next sync tries again"
        }
    }
}
