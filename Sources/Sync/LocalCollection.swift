package import Text

/// The local side of a sync: what a plugin stores of a collection, and how it compares and merges two items.
///
/// The driver calls it in order and never at the same time. No method waits for the remote side. Each stores its results
/// in one commit or in several that are complete by themselves, so that the process may be killed at any point.
package protocol LocalCollection<ID> {
    /// The id of a local item.
    associatedtype ID: Hashable & Comparable & Sendable
    /// A fetched item with all values that are computed from it.
    associatedtype Incoming: IncomingItem
    /// An item that is ready to be sent.
    associatedtype Outgoing: OutgoingItem

    /// Returns the position of the last complete sync.
    func position() async throws -> SyncPosition

    /// Returns whether there may be something to do although nothing has changed on the remote side.
    func hasWork() async throws -> Bool

    /// Returns the local items, computed from what is stored now.
    mutating func begin() async throws -> LocalListing<ID>

    /// Parses fetched items, while others are fetched or stored.
    var reader: @Sendable (RemoteItem) -> Incoming { get }

    /// Compares fetched items with the local ones, outside of transactions, and stores the results if nothing has changed
    /// since. `missing` are the items whose remote items have disappeared.
    /// - Returns: an outcome for each item.
    mutating func receive(_ items: [Incoming], missing: Set<ID>) async throws -> [FetchOutcome<ID>]

    /// Removes items that were deleted on the remote side, with their links, except those that were changed meanwhile. The
    /// values are the hrefs of their links.
    mutating func removeHere(_ items: [ID: String]) async throws

    /// Prepares items for sending and stores what is needed to recognise them if the response is lost. Items that are
    /// gone are left out.
    mutating func prepare(_ sends: [SyncSend<ID>]) async throws -> [ID: Outgoing]

    /// Stores that the remote side did not store items; with nil for `result` they were not sent at all.
    mutating func storeRejection(of items: [Outgoing], _ result: PutResult?) async throws

    /// Stores the links of sent items. `fetched` contains what is at their hrefs now, where it was read back.
    /// - Returns: the hrefs at which more is to be done, each once, with the outcome.
    mutating func storeReceipts(
        _ receipts: [SyncReceipt<Outgoing>], _ fetched: [ByteString: RemoteItem]
    ) async throws -> [(href: String, outcome: FetchOutcome<ID>)]

    /// Removes the links to these hrefs.
    mutating func dropLinks(_ hrefs: [String]) async throws

    /// Stores the problems of a sync; with `isComplete` there are no others.
    mutating func storeProblems(_ problems: [SyncProblem<ID>], isComplete: Bool) async throws

    /// Stores the position of a complete sync.
    mutating func storePosition(_ position: SyncPosition) async throws
}

extension LocalCollection {
    /// Does nothing, for a collection whose deletions on the remote side have no consequence here.
    package mutating func removeHere(_ items: [ID: String]) async throws {}
}

/// A fetched item.
package protocol IncomingItem: Sendable {
    /// The href of the item.
    var href: String { get }
    /// A value that is equal for items with the same `UID`; nil if it is not needed.
    var identity: Int? { get }
}

/// An item that is ready to be sent.
package protocol OutgoingItem: Sendable {
    /// The content.
    var bytes: [UInt8] { get }
    /// The suggested name of a new item.
    var name: String { get }
}

/// The local side of a collection at the start of a sync.
package struct LocalListing<ID: Hashable & Comparable & Sendable>: Sendable {
    /// The items that are in the collection, or have a remote item there.
    package let items: [SyncItem<ID>]
    /// The remote items that were skipped before, with the tags that were read; empty for those that could not be fetched.
    package let held: [RemoteEntry]
    /// The items for which the server returned internal errors before, and which have not changed since.
    package let knownErrors: Set<ID>

    package init(items: [SyncItem<ID>], held: [RemoteEntry], knownErrors: Set<ID> = []) {
        self.items = items
        self.held = held
        self.knownErrors = knownErrors
    }
}

/// The position of the last complete sync of a collection.
package struct SyncPosition: Hashable, Sendable {
    /// The token for the next list of changes, or the place in an unfinished listing; nil if there is neither.
    package let token: String?
    /// The state of the collection; nil if the remote side has none.
    package let state: String?

    package init(token: String?, state: String?) {
        self.token = token
        self.state = state
    }
}

/// A sent item that the remote side has stored.
package struct SyncReceipt<Outgoing: Sendable>: Sendable {
    /// The item.
    package let item: Outgoing
    /// The href of the stored item.
    package let href: String
    /// The etag in the response; nil if there was none.
    package let etag: String?
}

/// The options of a sync.
package struct SyncOptions: Sendable {
    /// Whether to plan only, without changes on either side.
    package var isDryRun: Bool
    /// Whether an empty remote side may empty the local one.
    package var isForced: Bool
    /// Asks the user to confirm many removals. Throws if there is no terminal to ask on.
    package var confirm: @Sendable (SyncQuestion) async throws -> Bool
    /// Reports the progress.
    package var progress: @Sendable (SyncProgress) -> Void

    package init(
        isDryRun: Bool = false, isForced: Bool = false,
        confirm: @escaping @Sendable (SyncQuestion) async throws -> Bool = { _ in false },
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) {
        self.isDryRun = isDryRun
        self.isForced = isForced
        self.confirm = confirm
        self.progress = progress
    }
}

/// The progress of a sync.
package struct SyncProgress: Hashable, Sendable {
    /// The number of items listed so far, while a listing comes in parts; 0 after it.
    package var listed = 0
    /// The number of items received.
    package var received = 0
    /// The number of items sent.
    package var sent = 0
    /// The number of items to receive, if known.
    package var toReceive: Int?

    /// The number of items received and sent in the end, as far as known.
    package var total: Int? { toReceive.map { $0 + sent } }

    /// The progress of a sync that has just begun.
    package init() {}
}
