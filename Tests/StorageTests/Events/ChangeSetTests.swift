import TestSupport
import Testing

@testable import Storage

struct ChangeSetTests {
    @Test func `a datagram brings the same topics back`() {
        let changed = ChangeSet.some(["domain.contacts/contact-added", "app.contacts/birthday-upcoming"])
        #expect(ChangeSet(datagram: changed.datagram) == changed)
        #expect(ChangeSet(datagram: ChangeSet.everything.datagram) == .everything)
    }

    @Test func `more topics than a datagram holds become everything`() throws {
        let topics = try (0..<100).map { try #require(Topic("domain.contacts/contact-\($0)")) }
        let datagram = ChangeSet.some(Set(topics)).datagram
        #expect(datagram.count <= ChangeSet.maximumDatagram)
        #expect(ChangeSet(datagram: datagram) == .everything)
    }

    @Test(arguments: ["garbage", "domain.contacts/added\nfuture:thing", "\u{FFFD}\u{0}"])
    func `a datagram of another version is news of everything`(text: String) {
        #expect(ChangeSet(datagram: Array(text.utf8)) == .everything)
    }

    @Test(.seeded) func `any bytes are taken without harm`() {
        var generator = SeededGenerator()
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 0...600, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if case .some(let topics) = ChangeSet(datagram: bytes) {
                #expect(topics.allSatisfy { Topic($0.text) == $0 })
            }
        }
    }

    @Test func `news adds up, and past the limit it is everything`() throws {
        var changed = ChangeSet.some(["ui.a/b"])
        changed.formUnion(.some(["ui.a/c"]))
        #expect(changed == .some(["ui.a/b", "ui.a/c"]))
        let many = try (0..<ChangeSet.limit).map { try #require(Topic("ui.many/t\($0)")) }
        changed.formUnion(.some(Set(many)))
        #expect(changed == .everything)
    }

    @Test func `a reader sees the topics it asked for alone`() {
        let changed = ChangeSet.some(["domain.contacts/contact-added", "ui.mintee/theme-changed"])
        #expect(changed.restricted(to: ["ui.*"]) == .some(["ui.mintee/theme-changed"]))
        #expect(changed.restricted(to: ["app.*"]) == nil)
        #expect(ChangeSet.everything.restricted(to: ["app.*"]) == .everything)
    }
}
