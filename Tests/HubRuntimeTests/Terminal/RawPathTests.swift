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

    @Test func `what is written through a link goes to where it leads`() throws {
        mkdir(folder.path + "/usb", 0o700)
        for (name, target) in [("a", "usb/a"), ("b", "a"), ("c", folder.path + "/usb/c")] {
            symlink(target, folder.path + "/" + name)
        }
        for name in ["a", "b", "c"] {
            let link = folder.path + "/" + name
            let file = try AtomicFile(path: link, followsLinks: true, requireReplaceable: nil)
            try file.write(Array(name.utf8))
            try file.commit()
            var status = stat()
            #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(try BoundedFile.read(link, limit: 100) == Array(name.utf8))
        }
        #expect(try DirectoryHandle(folder.path + "/usb").names().count == 2)
    }

    @Test func `a variable that names a folder in other bytes is refused`() {
        let raw = RawText.text(FileName([0x2F, 0x71, 0xFF]))
        for name in ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] {
            let environment = ProcessEnvironment(arguments: [], variables: [name: raw], home: "/home/ann")
            let error = #expect(throws: HubError.self) { try environment.requireReadableFolders() }
            #expect(error?.message == "\(name) is not UTF-8: /q\\xFF")
        }
        let fine = ProcessEnvironment(arguments: [], variables: ["HOME": "/home/ö", "EDITOR": raw], home: "/home/ö")
        #expect(throws: Never.self) { try fine.requireReadableFolders() }
    }

    @Test func `paths below the home folder are shown with a tilde`() {
        let environment = ProcessEnvironment(arguments: [], variables: [:], home: "/home/ann")
        let paths = ["/home/ann", "/home/ann/notes", "/home/anna/notes", "/srv"]
        #expect(paths.map(environment.shown) == ["~", "~/notes", "/home/anna/notes", "/srv"])
    }

    @Test func `an error shows the bytes`() {
        let error = #expect(throws: HubError.self) { try ChunkedFileReader(path: path) }
        #expect(error?.message.contains("/c\\xE9: ") == true)
    }
}
