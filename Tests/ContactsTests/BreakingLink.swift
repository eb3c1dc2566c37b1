import Contacts
import ContactsDomain
import Sync
import Synchronization

/// A link that breaks after some calls: the last request is executed, but its response is lost.
final class BreakingLink: CollectionClient {
    private let link: any CollectionClient
    private let left: Mutex<Int>

    init(_ link: any CollectionClient, after calls: Int) {
        self.link = link
        left = Mutex(calls)
    }

    private func pass<T>(_ value: T) throws(RemoteError) -> T {
        let rest = left.withLock { left in
            left -= 1
            return left
        }
        if rest <= 0 { throw .unreachable(reason: "the connection broke") }
        return value
    }

    private func begin() throws(RemoteError) {
        if left.withLock({ $0 <= 0 }) { throw .unreachable(reason: "the connection is broken") }
    }

    func state() async throws(RemoteError) -> String? {
        try begin()
        return try pass(try await link.state())
    }

    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try begin()
        return try pass(try await link.changes(since: token))
    }

    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard] {
        try begin()
        return try pass(try await link.fetch(hrefs))
    }

    func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        try begin()
        return try pass(try await link.create(card, name: name))
    }

    func update(_ href: String, to card: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
        try begin()
        return try pass(try await link.update(href, to: card, ifMatch: etag))
    }

    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        try begin()
        return try pass(try await link.remove(href, ifMatch: etag))
    }
}

/// The error of a lost connection.
final class Loss: Sendable {
    private let error = Mutex<RemoteError?>(nil)

    var isSet: Bool { error.withLock { $0 != nil } }

    func set(_ error: RemoteError?) { self.error.withLock { $0 = error } }

    func check() throws(RemoteError) { if let error = error.withLock(\.self) { throw error } }
}

/// A book that can be lost as a whole.
struct LosableBook: CollectionClient {
    private let book: ScriptedBook
    private let loss: Loss

    init(_ book: ScriptedBook, _ loss: Loss) {
        self.book = book
        self.loss = loss
    }

    func state() async throws(RemoteError) -> String? {
        try loss.check()
        return try await book.state()
    }

    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try loss.check()
        return try await book.changes(since: token)
    }

    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard] { try await book.fetch(hrefs) }

    func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        try await book.create(card, name: name)
    }

    func update(_ href: String, to card: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
        try await book.update(href, to: card, ifMatch: etag)
    }

    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        try await book.remove(href, ifMatch: etag)
    }
}
