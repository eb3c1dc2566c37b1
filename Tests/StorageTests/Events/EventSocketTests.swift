import Glibc
import TestSupport
import Testing

@testable import Storage

/// The folder in which processes tell each other of news, and what else may lie in it.
struct EventSocketTests {
    @Test func `a file that is no socket of ours stays where it is`() throws {
        try withTemporaryDirectory { directory in
            for name in ["1.file.sock", "notes.txt"] {
                close(open("\(directory)/\(name)", O_WRONLY | O_CREAT, 0o600))
            }
            mkdir(directory + "/2.folder.sock", 0o700)
            symlink("/dev/null", directory + "/3.link.sock")
            let before = fileNames(in: directory)
            EventBus(directory: directory).announce(.some(["domain.a/x"]))
            #expect(fileNames(in: directory) == before)
        }
    }

    @Test func `a missing folder, or a link in its place, takes no news and stays as it is`() throws {
        try withTemporaryDirectory { directory in
            EventBus(directory: directory + "/missing").announce(.everything)
            #expect(fileNames(in: directory).isEmpty)
            mkdir(directory + "/real", 0o700)
            symlink(directory + "/real", directory + "/link")
            #expect(throws: SystemError.self) { try EventBus(directory: directory + "/link").listen() }
            #expect(fileNames(in: directory + "/real").isEmpty)
        }
    }

    @Test func `a path is used as it is as long as it fits, and through its folder beyond`() throws {
        let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        func text(_ directory: String, _ name: String) -> String? {
            SocketAddress(directory: directory, descriptor: 7, name: name)?.withPointer { pointer, _ in
                pointer.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sun_path) { bytes in
                        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                    }
                }
            }
        }
        let name = "1.a.sock"
        let fitting = "/" + String(repeating: "d", count: room - name.utf8.count - 2)
        #expect(text(fitting, name) == "\(fitting)/\(name)")
        #expect(text(fitting + "d", name) == "/proc/self/fd/7/\(name)")
        let long = String(repeating: "n", count: room - "/proc/self/fd/7/".utf8.count)
        #expect(text(fitting, long) == "/proc/self/fd/7/\(long)")
        #expect(text(fitting, long + "n") == nil)
    }

    @Test func `to listen twice is to listen once, and nobody hears after the end`() async throws {
        try await withTemporaryDirectory { directory in
            let bus = EventBus(directory: directory)
            try bus.listen()
            try bus.listen()
            #expect(fileNames(in: directory).count == 1)
            var changes = bus.changes().makeAsyncIterator()
            let other = EventBus(directory: directory)
            other.announce(.some(["domain.a/x"]))
            #expect(await changes.next() == .some(["domain.a/x"]))
            bus.close()
            bus.close()
            #expect(fileNames(in: directory).isEmpty)
            other.announce(.some(["domain.a/y"]))
            bus.announce(.some(["domain.a/z"]))
            #expect(await changes.next() == .some(["domain.a/z"]), "its own news goes on")
            try bus.listen()
            other.announce(.everything)
            #expect(await changes.next() == .everything)
            bus.close()
        }
    }

    @Test func `news of nothing is no news, and what was found by looking is not told to others`() async throws {
        try await withTemporaryDirectory { directory in
            let (bus, other) = (EventBus(directory: directory), EventBus(directory: directory))
            try other.listen()
            var (mine, theirs) = (bus.changes().makeAsyncIterator(), other.changes().makeAsyncIterator())
            bus.announce(.some([]))
            #expect(bus.newsCount == 0 && bus.announcedTopics.isEmpty)
            bus.announceLocally(.everything)
            #expect(await mine.next() == .everything)
            #expect(bus.newsCount == 0, "it was not announced")
            bus.announce(.some(["domain.a/x"]))
            #expect(await theirs.next() == .some(["domain.a/x"]))
            #expect(bus.newsCount == 1 && bus.announcedTopics == ["domain.a/x"] && other.announcedTopics.isEmpty)
            other.close()
        }
    }
}
