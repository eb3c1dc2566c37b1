/// A collection that hub serves to devices: an address book now; a list of tasks or a folder later.
///
/// The plugin decides what an item is and how two versions of it are merged. The server decides on addresses, properties, sync tokens and
/// passwords. Every visible change of an item gets the next number of the collection in the transaction that makes it, and the name of
/// an item that is gone keeps its number for good, so that no sync token expires.
package protocol ServedCollection: Sendable {
    /// Returns the current state, in a time that does not depend on the number of items.
    func state() async throws -> ServedState

    /// Returns the number of items.
    func count() async throws -> Int

    /// Returns at most `limit` items whose names come after `name`, sorted by the bytes of their names; `name` is nil for the first.
    func entries(after name: String?, limit: Int) async throws -> [ServedEntry]

    /// Returns at most `limit` changes with numbers above `number` and up to `last`, in that order. An item that changed several times
    /// has only its last change.
    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange]

    /// Returns the items named `names` that exist, in any order.
    func items(named names: [String]) async throws -> [ServedItem]

    /// Returns the same items without their content.
    func entries(named names: [String]) async throws -> [ServedEntry]

    /// Stores `put.content` under the name `put.name`, merged into what is there.
    func put(_ put: ServedPut) async throws -> ServedPutResult

    /// Moves the item `name` to the trash if `condition` holds.
    func remove(_ name: String, if condition: ServedCondition, by author: ServedAuthor) async throws -> ServedRemoval

    /// Gives the item `name` a new number, so that a device that has dropped it gets it again.
    func renumber(_ name: String) async throws

    /// Returns the content of an item in another version of its format; as it is when there is none, or it has that version.
    func content(_ content: [UInt8], in version: String) -> [UInt8]
}

extension ServedCollection {
    /// Returns the content as it is: its format has one version.
    package func content(_ content: [UInt8], in version: String) -> [UInt8] { content }

    /// Returns the items named `names` without their content, by reading it.
    package func entries(named names: [String]) async throws -> [ServedEntry] {
        try await items(named: names).map(\.entry)
    }
}

/// The state of a collection.
package struct ServedState: Hashable, Sendable {
    /// A text that no copy and no restored version of the store shares.
    package let epoch: String
    /// The highest number of a change.
    package let number: Int

    package init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }
}

/// An item without its content.
package struct ServedEntry: Hashable, Sendable {
    /// The last segment of its address, decoded; it never changes.
    package let name: String
    /// The id of what is stored, by which all copies of its content are found when it is deleted for good.
    package let id: String
    /// The hash of the content, without quotes. Equal contents have equal hashes.
    package let etag: String
    /// The length of the content in bytes.
    package let length: Int
    /// The time of the last change, in milliseconds since 1970 UTC.
    package let changedAt: Int64

    package init(name: String, id: String, etag: String, length: Int, changedAt: Int64) {
        self.name = name
        self.id = id
        self.etag = etag
        self.length = length
        self.changedAt = changedAt
    }
}

/// An item with its content.
package struct ServedItem: Hashable, Sendable {
    /// The item.
    package let entry: ServedEntry
    /// The content as stored.
    package let content: [UInt8]

    package init(_ entry: ServedEntry, content: [UInt8]) {
        self.entry = entry
        self.content = content
    }
}

/// The last change of an item.
package struct ServedChange: Hashable, Sendable {
    /// The number of the change.
    package let number: Int
    /// The name of the item.
    package let name: String
    /// Whether the item is gone.
    package let isGone: Bool

    package init(number: Int, name: String, isGone: Bool) {
        self.number = number
        self.name = name
        self.isGone = isGone
    }
}

/// The author of a change: a device. All changes with one operation id are undone together.
package struct ServedAuthor: Hashable, Sendable {
    /// The name of the device.
    package let device: String
    /// The program on it; empty if unknown.
    package let program: String
    /// The id of the operation in the history.
    package let operation: String

    package init(device: String, program: String, operation: String) {
        self.device = device
        self.program = program
        self.operation = operation
    }
}

/// A condition on what is stored (RFC 9110 §13.1), checked in the transaction of the change.
package enum ServedCondition: Hashable, Sendable {
    /// None.
    case always
    /// The item does not exist (`If-None-Match: *`).
    case isNew
    /// The item exists and has one of these etags; nil for any.
    case matches([String]?)

    /// Whether it holds for what is stored, nil for nothing.
    package func holds(for entry: ServedEntry?) -> Bool {
        switch self {
        case .always: true
        case .isNew: entry == nil
        case .matches(let etags): entry.map { etags?.contains($0.etag) ?? true } ?? false
        }
    }
}

/// A new version of an item from a device.
package struct ServedPut: Sendable {
    /// The name of the item; nil lets the collection choose one.
    package var name: String?
    /// The content as sent.
    package var content: [UInt8]
    /// The condition.
    package var condition = ServedCondition.always
    /// The version that the device was last given, on which it based its own; nil if unknown.
    package var base: [UInt8]?
    /// The words that the program has been seen to write, such as the names of properties: one that it leaves out it has removed,
    /// while it may not know any other.
    package var known: Set<String> = []
    /// Whether the stored value is kept where both sides changed the same one; else the device's is taken.
    package var keepsStored = false
    /// The author.
    package var author: ServedAuthor

    package init(name: String?, content: [UInt8], author: ServedAuthor) {
        self.name = name
        self.content = content
        self.author = author
    }
}

/// The result of storing an item.
package enum ServedPutResult: Hashable, Sendable {
    /// It was stored, or is there already.
    case stored(ServedPutReport)
    /// The condition does not hold; the item that is there, if any.
    case refused(ServedEntry?)
    /// Another item has the same `UID`; its name.
    case sameUID(String)
    /// The content has another `UID` than the item.
    case otherUID
    /// The content is not of the kind of the collection.
    case wrongType
    /// The content is a calendar without the component that the collection has.
    case wrongComponent
    /// The content breaks the rules of its kind.
    case invalid(String)
}

/// What became of an item that a device sent.
package struct ServedPutReport: Hashable, Sendable {
    /// The item as stored.
    package var entry: ServedEntry
    /// The content as stored.
    package var content: [UInt8]
    /// Whether the item is new.
    package var isNew = false
    /// Whether anything was written.
    package var isChanged = false
    /// The values that both sides had changed, in words.
    package var conflicts: [String] = []
    /// What was not taken of it, in words.
    package var ignored: [String] = []
    /// The words of the content, for ``ServedPut/known``.
    package var words: Set<String> = []

    package init(_ entry: ServedEntry, content: [UInt8]) {
        self.entry = entry
        self.content = content
    }
}

/// The result of removing an item.
package enum ServedRemoval: Hashable, Sendable {
    case removed, missing
    /// The condition does not hold; the item that is there.
    case refused(ServedEntry)
}
