/// What an account has at a notes server.
package struct AccountUsage: Hashable, Sendable {
    /// The notes that it owns, those in the trash too.
    package var notes: Int
    /// The bytes that their texts take with all edits.
    package var texts: Int
    /// The bytes of their attachments; what two notes have counts twice.
    package var attachments: Int

    /// Creates a usage.
    package init(notes: Int = 0, texts: Int = 0, attachments: Int = 0) {
        (self.notes, self.texts, self.attachments) = (notes, texts, attachments)
    }

    /// The sum of both.
    package static func + (left: AccountUsage, right: AccountUsage) -> AccountUsage {
        AccountUsage(
            notes: left.notes + right.notes, texts: left.texts + right.texts,
            attachments: left.attachments + right.attachments)
    }
}

/// The most that an account may have; nil means no limit.
package struct AccountLimits: Hashable, Sendable {
    /// Of notes.
    package var notes: Int?
    /// Of the bytes that texts take.
    package var texts: Int?
    /// Of the bytes of attachments.
    package var attachments: Int?

    /// Creates limits.
    package init(notes: Int? = nil, texts: Int? = nil, attachments: Int? = nil) {
        (self.notes, self.texts, self.attachments) = (notes, texts, attachments)
    }

    /// Whether there is no limit.
    package var isEmpty: Bool { self == AccountLimits() }

    /// What is said when an account that has `usage` would get `more`; nil if it may. What does not grow is never over its limit.
    package func refusal(of more: AccountUsage, with usage: AccountUsage, by person: String) -> String? {
        func isOver(_ limit: Int?, _ used: Int, _ more: Int) -> Bool {
            guard let limit, more > 0 else { return false }
            return used + more > limit
        }
        if let notes, isOver(notes, usage.notes, more.notes) {
            return "\(person) has \(usage.notes) notes; the limit of the account is \(notes)"
        }
        if isOver(texts, usage.texts, more.texts) {
            return "the texts of \(person) have reached the limit of the account"
        }
        if isOver(attachments, usage.attachments, more.attachments) {
            return "the attachments of \(person) have reached the limit of the account"
        }
        return nil
    }
}
