import HubKit
import Synchronization

/// Which contacts say the same as a card that comes under a name nobody knows: many programs give every card a new `UID`
/// each time they export.
///
/// It is read when the first such card comes, and holds two numbers for each contact. What others change meanwhile is
/// seen when a contact is looked at.
final class KnownContents: Sendable {
    private let rows = Mutex<[Int: Int]?>(nil)

    /// The live contact that says what the hash `content` stands for; nil when there is none.
    func contact(saying content: Int, in transaction: Transaction) throws -> String? {
        let row = try rows.withLock { rows in
            let known = try rows ?? transaction.contactContents()
            rows = known
            return known[content]
        }
        return try row.flatMap { try transaction.contactID(inRow: $0, saying: content) }
    }

    /// Notes what a new contact says.
    func add(_ content: Int, row: Int) {
        rows.withLock { $0?[content] = row }
    }
}
