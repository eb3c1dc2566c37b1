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
    /// What was left as it is.
    package internal(set) var problems: [Problem] = []
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
    /// The reason in one sentence.
    package var text: String {
        switch reason {
        case .readOnly: "the book cannot be changed; what was changed here stays here"
        case .refused(.version(let reason)), .refused(.invalid(let reason)), .refused(.notAllowed(let reason)):
            "it was not taken: \(reason)"
        case .refused(.tooLarge(let reason)): "it is too large: \(reason)"
        case .notRemovable(let reason): "it may not be removed there: \(reason)"
        case .sameUID: "another card there has the same UID\(href.map { " (\($0))" } ?? "")"
        case .sameUIDHere: "another contact here has the same UID; hub contacts duplicates shows both"
        case .busy: "it changes there again and again; the next sync tries once more"
        case .unreadable: "what is at \(href ?? "its place") is no vCard"
        }
    }
}
