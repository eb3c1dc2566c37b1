import Glibc
import System
import TestSupport
import Testing

@MainActor struct ChunkedFileReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// A named pipe and the descriptor of a program that writes to it.
    private func pipe(_ name: String) throws -> Int32 {
        try #require(mkfifo(path(name), 0o600) == 0)
        // Opened for both directions, so that this does not wait for a reader.
        return try #require(Optional(open(path(name), O_RDWR | O_CLOEXEC)).flatMap { $0 >= 0 ? $0 : nil })
    }

    @Test func `a file is read in chunks, and as a whole up to a limit`() throws {
        let text = (0..<60_000).map { "line \($0)\n" }.joined()
        let bytes = Array(text.utf8)
        let file = try folder.write(text, to: "file")
        let reader = try ChunkedFileReader(path: file)
        var (read, chunks) = ([UInt8](), 0)
        while let chunk = try reader.next() {
            read += chunk
            chunks += 1
        }
        #expect(read == bytes && chunks > 1)
        #expect(try ChunkedFileReader.contents(of: file, limit: bytes.count) == bytes)
        let error = #expect(throws: HubError.self) { try ChunkedFileReader.contents(of: file, limit: bytes.count - 1) }
        #expect(error?.code == "file-too-large" && error?.kind == .invalid)
        #expect(try ChunkedFileReader.contents(of: try folder.write("", to: "empty"), limit: 0).isEmpty)
    }

    @Test func `a pipe is read to its end`() throws {
        let writer = try pipe("pipe")
        #expect(write(writer, "text", 4) == 4)
        let reader = try ChunkedFileReader(path: path("pipe"))
        close(writer)
        #expect(try reader.next() == Array("text".utf8))
        #expect(try reader.next() == nil)
    }

    @Test func `a pipe to which nothing was written is named, not read as an empty file`() throws {
        close(try pipe("pipe"))
        let reader = try ChunkedFileReader(path: path("pipe"))
        let error = #expect(throws: HubError.self) { try reader.next() }
        #expect(
            error?.code == "empty-pipe" && error?.message.hasSuffix("is a pipe, and nothing was written to it") == true)
    }

    @Test func `a read that waits for a pipe ends when its task is cancelled`() async throws {
        let writer = try pipe("pipe")
        defer { close(writer) }
        let reader = try await ChunkedFileReader(path: path("pipe"))
        #expect(write(writer, "text", 4) == 4)
        #expect(try await reader.next() == Array("text".utf8))
        let waiting = Task { try await reader.next() }
        waiting.cancel()
        let error = await #expect(throws: HubError.self) { try await waiting.value }
        #expect(error?.code == "stopped" && error?.kind == .unavailable)
    }

    @Test func `what is not a file is named, and what cannot be opened has the reason`() throws {
        close(try pipe("pipe"))
        func code(_ path: String, isRegular: Bool = false) throws -> String? {
            #expect(throws: HubError.self) { try ChunkedFileReader(path: path, isRegular: isRegular) }?.message
        }
        #expect(try code(folder.path) == "\(folder.path) is a folder, not a file")
        #expect(try code("/dev/zero") == "/dev/zero is a device, not a file")
        #expect(try code(path("pipe"), isRegular: true) == "\(path("pipe")) is a pipe, not a file")
        #expect(try code(path("gone")) == "cannot open \(path("gone")): No such file or directory")
    }
}
