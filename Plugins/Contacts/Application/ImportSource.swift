package import ContactsDomain
import System

/// A source of cards: a file, a folder of files, standard input, or a request body.
package struct ImportSource: Sendable {
    /// The display name, such as `people.vcf`.
    package let name: String
    /// The format; nil to detect it from the first bytes.
    package var format: ImportFormat?
    /// The columns of a table with known meanings.
    package var columns: [ColumnMapping] = []
    /// The character set; nil to detect UTF-8, UTF-16 and Windows-1252.
    package var charset: FileCharset?
    /// Returns the next bytes, any number of them; nil at the end, and at the end of each part.
    package let next: @Sendable () async throws -> [UInt8]?
    /// Moves on to the next of several files; nil at the end.
    package let nextPart: @Sendable () async throws -> Part?
    /// Messages about skipped files.
    package let notes: [String]

    /// A file of several.
    package enum Part: Sendable {
        /// A file with this name, whose bytes follow.
        case file(String)
        /// A file that cannot be read.
        case problem(InputProblem)
    }

    /// Creates a source; `next` returns its bytes chunk by chunk, `nextPart` opens the next of several files.
    package init(
        _ name: String, format: ImportFormat? = nil, next: @escaping @Sendable () async throws -> [UInt8]?,
        nextPart: @escaping @Sendable () async throws -> Part? = { nil }, notes: [String] = []
    ) {
        self.name = name
        self.format = format
        self.next = next
        self.nextPart = nextPart
        self.notes = notes
    }
}

/// A file to import, opened on demand.
package struct ImportFile: Sendable {
    /// The display name.
    package let name: String
    /// Opens the file. Throws if it cannot be read.
    package let open: @Sendable () async throws -> ImportSource

    package init(_ name: String, open: @escaping @Sendable () async throws -> ImportSource) {
        self.name = name
        self.open = open
    }
}

extension ImportSource {
    /// Opens the folder at `path` with one card per file (vdir); nil if it is not a folder. Throws if it cannot be
    /// read.
    package static func folder(
        at path: String, format: ImportFormat? = nil
    ) async throws -> ImportSource? {
        guard CardFolder.exists(at: path) else { return nil }
        let listing = try await BackgroundThread.run { try CardFolder(path: path).listing() }
        let parts = FolderParts(path: path, files: listing.files, unreadable: listing.unreadable)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ImportSource(
            name, format: format, next: { try await parts.next() }, nextPart: { await parts.open() },
            notes: listing.passedOver.isEmpty ? [] : [ImportSource.passedOver(listing.passedOver)])
    }

    private static func passedOver(_ names: [String]) -> String {
        let shown = names.prefix(3).joined(separator: ", ")
        let more = names.count > 3 ? " and \(NumberFormat.grouped(names.count - 3)) more" : ""
        return "skipped, not a .vcf or .vcard file: \(shown)\(more)"
    }
}

/// Reads the files of a folder one after the other.
private actor FolderParts {
    private let path: String
    private var files: ArraySlice<String>
    private var unreadable: ArraySlice<CardFolder.Unreadable>
    private var chunks: ChunkedFileReader?

    init(path: String, files: [String], unreadable: [CardFolder.Unreadable]) {
        self.path = path
        self.files = files[...]
        self.unreadable = unreadable[...]
    }

    func next() async throws(HubError) -> [UInt8]? { try await chunks?.next() }

    /// Opens the next file that still exists; files may be removed or renamed meanwhile.
    func open() async -> ImportSource.Part? {
        chunks = nil
        while let name = files.popFirst() {
            do throws(HubError) {
                chunks = try await ChunkedFileReader(path: "\(path)/\(name)", isRegular: true)
                return .file(name)
            } catch {
                // A broken link exists, a removed file does not.
                if error.kind == .notFound, !CardFolder.isLink("\(path)/\(name)") { continue }
                return .problem(FolderParts.problem(name, error.message.replacing("\(path)/\(name)", with: "it")))
            }
        }
        return unreadable.popFirst().map { .problem(FolderParts.problem($0.name, $0.reason)) }
    }

    private static func problem(_ file: String, _ reason: String) -> InputProblem {
        var problem = InputProblem("file-unreadable", line: 0, reason)
        problem.file = file
        return problem
    }
}
