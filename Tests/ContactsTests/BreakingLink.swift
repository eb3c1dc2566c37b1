import Contacts
import ContactsDomain
import Links
import Synchronization

/// A link that breaks after some calls: the last request is executed, but its response is lost.
final class BreakingLink: AddressBookLink {
    private let link: any AddressBookLink
    private let left: Mutex<Int>

    init(_ link: any AddressBookLink, after calls: Int) {
        self.link = link
        left = Mutex(calls)
    }

    private func pass<T>(_ value: T) throws(LinkError) -> T {
        let rest = left.withLock { left in
            left -= 1
            return left
        }
        if rest <= 0 { throw .unreachable(reason: "the connection broke") }
        return value
    }

    private func begin() throws(LinkError) {
        if left.withLock({ $0 <= 0 }) { throw .unreachable(reason: "the connection is broken") }
    }

    func state() async throws(LinkError) -> String? {
        try begin()
        return try pass(try await link.state())
    }

    func changes(since token: String?) async throws(LinkError) -> RemoteChanges {
        try begin()
        return try pass(try await link.changes(since: token))
    }

    func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] {
        try begin()
        return try pass(try await link.fetch(hrefs))
    }

    func create(_ card: [UInt8], name: String) async throws(LinkError) -> StoreAnswer {
        try begin()
        return try pass(try await link.create(card, name: name))
    }

    func update(_ href: String, to card: [UInt8], ifStill tag: String) async throws(LinkError) -> StoreAnswer {
        try begin()
        return try pass(try await link.update(href, to: card, ifStill: tag))
    }

    func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer {
        try begin()
        return try pass(try await link.remove(href, ifStill: tag))
    }
}

/// The error of a lost connection.
final class Loss: Sendable {
    private let error = Mutex<LinkError?>(nil)

    var isSet: Bool { error.withLock { $0 != nil } }

    func set(_ error: LinkError?) { self.error.withLock { $0 = error } }

    func check() throws(LinkError) { if let error = error.withLock(\.self) { throw error } }
}

/// A book that can be lost as a whole.
struct LosableBook: AddressBookLink {
    private let book: ScriptedBook
    private let loss: Loss

    init(_ book: ScriptedBook, _ loss: Loss) {
        self.book = book
        self.loss = loss
    }

    func state() async throws(LinkError) -> String? {
        try loss.check()
        return try await book.state()
    }

    func changes(since token: String?) async throws(LinkError) -> RemoteChanges {
        try loss.check()
        return try await book.changes(since: token)
    }

    func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] { try await book.fetch(hrefs) }

    func create(_ card: [UInt8], name: String) async throws(LinkError) -> StoreAnswer {
        try await book.create(card, name: name)
    }

    func update(_ href: String, to card: [UInt8], ifStill tag: String) async throws(LinkError) -> StoreAnswer {
        try await book.update(href, to: card, ifStill: tag)
    }

    func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer {
        try await book.remove(href, ifStill: tag)
    }
}
