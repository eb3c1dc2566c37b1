import Collation
import TextDecoding

extension TextDecoding {
    /// Whether `name` is UTF-8 or a subset of it.
    static func isUTF8(_ name: String) -> Bool {
        ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
    }

    /// Decodes text in the character set `name`; an unknown one is ignored.
    static func decode(_ bytes: [UInt8], charset name: String) -> String {
        switch name.uppercased() {
        // As in HTML, Latin-1 means Windows-1252.
        case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252": windows1252(bytes)
        default: (try? Charset.decode(bytes, as: name)) ?? decode(bytes)
        }
    }
}
