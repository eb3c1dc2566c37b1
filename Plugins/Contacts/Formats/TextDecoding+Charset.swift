import Collation
import PlainText

extension TextDecoding {
    /// Whether `name` means UTF-8 or a part of it.
    static func isUTF8(_ name: String) -> Bool {
        ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
    }

    /// Text of the character set `name`; of an unknown one as if none had been named.
    static func decode(_ bytes: [UInt8], charset name: String) -> String {
        switch name.uppercased() {
        // As everywhere on the web, Latin-1 means the larger Windows set.
        case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252": windows1252(bytes)
        default: (try? Charset.decode(bytes, as: name)) ?? decode(bytes)
        }
    }
}
