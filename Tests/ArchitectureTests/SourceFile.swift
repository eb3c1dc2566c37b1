/// One Swift file as the layer rules see it: its layer, what it imports, which types it declares and which it names.
struct SourceFile {
    /// The path below the repository's root.
    let path: String
    /// The layer of the file: a target's name, or `<Plugin>/<Layer>`.
    let layer: Layer
    /// Modules that the file imports.
    let imports: Set<String>
    /// Names of the types declared at the top level of the file.
    let declaredTypes: Set<String>
    /// Every capitalised word of the file outside comments and string literals.
    let namedWords: Set<String>
    /// How many lines the file has.
    let lineCount: Int

    init?(path: String, text: String) {
        guard let layer = Layer(path: path) else { return nil }
        self.path = path
        self.layer = layer
        let code = CodeText.withoutCommentsAndStrings(text)
        var imports = Set<String>()
        var declared = Set<String>()
        for line in code.split(separator: "\n") {
            let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" })
            if let at = words.firstIndex(of: "import"), at < words.endIndex - 1, at <= 2 {
                imports.insert(String(words[at + 1]))
            }
            guard let first = line.first, !first.isWhitespace,
                let keyword = words.firstIndex(where: CodeText.typeKeywords.contains), keyword < words.endIndex - 1,
                words[..<keyword].allSatisfy(CodeText.modifiers.contains)
            else { continue }
            declared.insert(String(words[keyword + 1]))
        }
        self.imports = imports
        declaredTypes = declared
        namedWords = CodeText.capitalisedWords(of: code)
        lineCount = text.split(separator: "\n", omittingEmptySubsequences: false).count
    }
}

/// What the layer rules must know of Swift's surface to read a file without a compiler.
enum CodeText {
    static let typeKeywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    static let modifiers: Set<Substring> = [
        "package", "public", "internal", "private", "fileprivate", "final", "indirect", "nonisolated", "@unchecked",
        "@frozen", "@MainActor", "@main",
    ]

    /// The text with comments removed and string literals emptied, line breaks kept.
    static func withoutCommentsAndStrings(_ text: String) -> String {
        var kept: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        func starts(_ word: StaticString) -> Bool {
            let length = word.utf8CodeUnitCount
            guard index + length <= bytes.count else { return false }
            return (0..<length).allSatisfy { bytes[index + $0] == word.utf8Start[$0] }
        }
        while index < bytes.count {
            if starts("//") {
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
            } else if starts("/*") {
                while index < bytes.count, !starts("*/") { index += 1 }
                index += 2
            } else if starts("\"\"\"") {
                index += 3
                while index < bytes.count, !starts("\"\"\"") {
                    if bytes[index] == 0x0A { kept.append(0x0A) }
                    index += bytes[index] == 0x5C ? 2 : 1
                }
                index += 3
            } else if bytes[index] == 0x22 {
                index += 1
                while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x0A {
                    index += bytes[index] == 0x5C ? 2 : 1
                }
                index += 1
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Every word that starts with a capital letter and does not follow a dot.
    static func capitalisedWords(of code: String) -> Set<String> {
        var words = Set<String>()
        var word: [UInt8] = []
        var previous: UInt8 = 0
        var before: UInt8 = 0
        for byte in Array(code.utf8) + [0] {
            let isWord =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x5F
            if isWord {
                if word.isEmpty { before = previous }
                word.append(byte)
            } else if !word.isEmpty {
                if (0x41...0x5A).contains(word[0]), before != 0x2E {
                    words.insert(String(decoding: word, as: UTF8.self))
                }
                word = []
            }
            previous = byte
        }
        return words
    }
}
