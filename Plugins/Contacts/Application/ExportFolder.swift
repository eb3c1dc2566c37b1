import ContactsDomain
import HubKit

/// The result of an export to a folder.
package struct FolderExportReport: Sendable {
    /// The number of files that were created or replaced.
    package internal(set) var written = 0
    /// The number of files that already had the same content.
    package internal(set) var unchanged = 0
    /// The number of cards without a `UID`, which khard skips.
    package internal(set) var withoutUID = 0
}

extension ContactsPlugin {
    /// Writes the contacts `ids`, or all, byte for byte into the folder at `path`, which is created, one file each (vdir). Other files in it
    /// are not changed.
    package func exportFolder(_ ids: [String]? = nil, to path: String) async throws -> FolderExportReport {
        let folder = CardFolder(path: path)
        try folder.make()
        let pages = CardPages(contacts, ids)
        var report = FolderExportReport()
        var names = Set<String>()
        var writer = VCardWriter(nil) as any CardListWriter
        while let page = try await pages.next() {
            for item in page {
                let uid = item.card.details.uid
                if uid == nil { report.withoutUID += 1 }
                var name = ContactsPlugin.fileName(uid) ?? item.id
                if !names.insert(name.lowercased()).inserted { name = item.id }
                switch try folder.write(writer.add(item.card, id: item.id), as: "\(name).vcf") {
                case .written: report.written += 1
                case .unchanged: report.unchanged += 1
                }
            }
        }
        folder.sync()
        return report
    }

    /// A `UID` that is a safe file name on all systems; nil for others.
    private static func fileName(_ uid: String?) -> String? {
        guard var name = uid else { return nil }
        if name.lowercased().hasPrefix("urn:uuid:") { name = String(name.dropFirst(9)) }
        let isSafe = name.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x5F, 0x2E, 0x40].contains(byte)
        }
        return isSafe && (1...200).contains(name.utf8.count) && !name.hasPrefix(".") ? name : nil
    }
}
