import Glibc
import System
import TestSupport
import Testing

@testable import HubRuntime

/// Paths of the command line that are not UTF-8.
@MainActor struct RawPathTests {
    private let folder: TemporaryFolder
    private let name = FileName([0x63, 0xE9])

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/" + RawText.text(name) }

    @Test func `a file is written and read under its own name`() throws {
        for text in ["one", "two, over it"] {
            let file = try AtomicFile(path: path)
            try file.write(Array(text.utf8))
            try file.commit()
            #expect(try DirectoryHandle(folder.path).names() == [name])
            #expect(try ChunkedFileReader.contents(of: path, limit: 100) == Array(text.utf8))
            #expect(try BoundedFile.read(path, limit: 100) == Array(text.utf8))
        }
        #expect(FileKind(path: path) != nil)
        let file = try AtomicFile(path: path)
        file.discard()
        #expect(try DirectoryHandle(folder.path).names() == [name])
    }

    @Test func `a folder is made and opened under its own name`() throws {
        try Directory.make(path + "/x")
        #expect(try DirectoryHandle(path).names() == ["x"])
        #expect(try DirectoryHandle(folder.path).names() == [name])
    }

    @Test func `an error shows the bytes`() {
        let error = #expect(throws: HubError.self) { try ChunkedFileReader(path: path) }
        #expect(error?.message.contains("/c\\xE9: ") == true)
    }
}
