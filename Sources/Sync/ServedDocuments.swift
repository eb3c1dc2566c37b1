/// Files that stand for what a plugin stores, such as notes as Markdown: HubRuntime puts them together with the other files that
/// programs keep beside them, and serves both as one tree.
package protocol ServedDocuments: Sendable {
    /// Whether what a device writes is merged over what it was last given, so that this has to be remembered.
    var merges: Bool { get }

    /// Whether a new file of this name, with so many bytes, becomes a document; any other is only kept.
    func takes(_ name: String, size: Int) -> Bool
    /// Returns the current state; its number grows with each visible change.
    func state() async throws -> ServedState
    /// Returns the documents of a folder, and the names of the folders in it that have documents.
    func documents(in folder: [String]) async throws -> (files: [ServedFile], folders: [String])
    /// Whether there are documents in a folder, or in one within it.
    func hasDocuments(in folder: [String]) async throws -> Bool
    /// Returns the content of the document at a path; nil if there is none.
    func content(at path: [String]) async throws -> ServedContent?
    /// Returns the document at a path without its content; nil if there is none.
    func document(at path: [String]) async throws -> ServedFile?

    /// Stores a document, merged into what is there.
    func write(_ write: ServedWrite) async throws -> ServedFileResult
    /// Moves a document to the trash.
    func remove(_ path: [String], if condition: ServedCondition, by author: ServedAuthor) async throws
        -> ServedFileResult
    /// Gives a document another path, at which there is none.
    func move(_ path: [String], to target: [String], by author: ServedAuthor) async throws -> ServedFileResult

    /// Returns those of the files at `files` that documents refer to, such as a picture: the document at `document`, or any if
    /// it is nil.
    func referenced(_ files: [[String]], by document: [String]?) async throws -> [[String]]
    /// Makes a file part of the documents that refer to it; false if none does, or it cannot be one.
    func adopt(_ file: ServedWrite) async throws -> Bool
}

extension ServedDocuments {
    /// Asks for the documents.
    package func hasDocuments(in folder: [String]) async throws -> Bool {
        let found = try await documents(in: folder)
        return !found.files.isEmpty || !found.folders.isEmpty
    }
    /// Returns none: documents refer to no files.
    package func referenced(_ files: [[String]], by document: [String]?) async throws -> [[String]] { [] }
    /// Returns false.
    package func adopt(_ file: ServedWrite) async throws -> Bool { false }
}
