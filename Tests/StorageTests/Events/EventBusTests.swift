import Glibc
import TestSupport
import Testing

@testable import Storage

struct EventBusTests {
    @Test func `a reader gets the topics it follows, merged while it was busy`() async {
        let bus = EventBus()
        var changes = bus.changes(of: ["domain.*"]).makeAsyncIterator()
        bus.announce(.some(["domain.a/x"]))
        bus.announce(.some(["ui.a/x"]))
        bus.announce(.some(["domain.a/y"]))
        #expect(await changes.next() == .some(["domain.a/x", "domain.a/y"]))
    }

    @Test func `news reaches the listener of another process and not the sender's own`() async throws {
        try await withTemporaryDirectory { directory in
            let here = EventBus(directory: directory)
            let there = EventBus(directory: directory)
            try here.listen()
            try there.listen()
            var heardHere = here.changes().makeAsyncIterator()
            var heardThere = there.changes().makeAsyncIterator()
            here.announce(.some(["domain.a/x"]))
            #expect(await heardThere.next() == .some(["domain.a/x"]))
            there.announce(.some(["domain.a/y"]))
            #expect(await heardThere.next() == .some(["domain.a/y"]))
            var news = await heardHere.next()
            if news == .some(["domain.a/x"]) { news = await heardHere.next() }
            #expect(news == .some(["domain.a/x", "domain.a/y"]) || news == .some(["domain.a/y"]))
            here.close()
            there.close()
        }
    }

    @Test func `a hundred listeners all hear`() async throws {
        try await withTemporaryDirectory { directory in
            let listeners = try (0..<100).map { _ in
                let bus = EventBus(directory: directory)
                try bus.listen()
                return bus
            }
            let readers = listeners.map { $0.changes() }
            EventBus(directory: directory).announce(.some(["domain.a/x"]))
            for reader in readers {
                var changes = reader.makeAsyncIterator()
                #expect(await changes.next() == .some(["domain.a/x"]))
            }
            listeners.forEach { $0.close() }
            #expect(fileNames(in: directory).isEmpty)
        }
    }

    @Test func `listeners that never read hold up no committer and starve no other listener`() async throws {
        try await withTemporaryDirectory { directory in
            let stuck = try (0..<20).map { try boundSocket("stuck\($0).sock", in: directory) }
            defer { stuck.forEach { close($0) } }
            let well = EventBus(directory: directory)
            try well.listen()
            let committer = EventBus(directory: directory)
            for _ in 0..<2000 { committer.announce(.some(["domain.a/x"])) }
            var changes = well.changes().makeAsyncIterator()
            committer.announce(.some(["domain.a/last"]))
            while let news = await changes.next() {
                if news == .everything { break }
                if case .some(let topics) = news, topics.contains("domain.a/last") { break }
            }
            well.close()
        }
    }

    @Test func `a socket that its process left behind is removed`() throws {
        try withTemporaryDirectory { directory in
            close(try boundSocket("1.gone.sock", in: directory))
            #expect(fileNames(in: directory) == ["1.gone.sock"])
            EventBus(directory: directory).announce(.some(["domain.a/x"]))
            #expect(fileNames(in: directory).isEmpty)
        }
    }

    @Test func `a full queue is taken as news of everything`() throws {
        try withTemporaryDirectory { directory in
            let slow = try boundSocket("slow.sock", in: directory)
            defer { close(slow) }
            let committer = EventBus(directory: directory)
            for index in 0..<EventListener.smallestQueue {
                committer.announce(.some([try #require(Topic("domain.a/t\(index)"))]))
            }
            #expect(EventListener.drain(slow) == .everything)
            committer.announce(.some(["domain.a/x"]))
            #expect(EventListener.drain(slow) == .some(["domain.a/x"]))
        }
    }

    @Test func `a folder with a long path is made and works`() async throws {
        try await withTemporaryDirectory { base in
            let directory = base + "/missing/" + String(repeating: "d", count: 150)
            let bus = EventBus(directory: directory)
            try bus.listen()
            var changes = bus.changes().makeAsyncIterator()
            EventBus(directory: directory).announce(.some(["domain.a/x"]))
            #expect(await changes.next() == .some(["domain.a/x"]))
            bus.close()
            #expect(fileNames(in: directory).isEmpty)
        }
    }

    @Test func `a folder open to others is refused`() throws {
        try withTemporaryDirectory { directory in
            chmod(directory, 0o755)
            #expect(throws: SystemError.self) { try EventBus(directory: directory).listen() }
        }
    }

    @Test func `a reader that goes is forgotten`() async {
        let live = LiveTopics()
        do {
            _ = live.changes(of: ["*"])
        }
        #expect(live.count == 0)
    }

    /// A bound socket like that of a listener, which is never read.
    private func boundSocket(_ name: String, in directory: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        let address = try #require(SocketAddress(directory: directory, descriptor: -1, name: name))
        try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
        return descriptor
    }
}
