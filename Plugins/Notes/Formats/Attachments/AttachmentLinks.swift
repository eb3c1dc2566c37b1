package import Text

/// The attachments of one note as its text links to them.
package struct AttachmentLinks: Sendable {
    private let files: LinkedFiles
    private var exact: [ByteString: Int] = [:]

    /// Prepares the search for attachments with these paths, and with the targets that lead to them whatever they say.
    package init(_ attachments: [(path: ByteString, link: String?)]) {
        files = LinkedFiles(attachments.map(\.path))
        for (index, attachment) in attachments.enumerated() {
            if let link = attachment.link { exact[ByteString(link)] = index }
        }
    }

    /// Prepares the search for attachments of an export or import.
    package init(_ attachments: [Attachment]) { self.init(attachments.map { ($0.path, $0.link) }) }

    /// Returns the index of the attachment that a target in the note's text leads to; the note is in `folder`.
    package func index(of target: String, in folder: ByteString) -> Int? {
        exact[ByteString(target)] ?? files.index(of: target, in: folder, fromAnywhere: true)
    }

    /// Returns the indexes of the attachments that a text links to.
    package func linked(in text: String, of folder: ByteString) -> Set<Int> {
        Set(MarkdownTargets.targets(in: text).compactMap { index(of: $0.text, in: folder) })
    }
}
