/// A reader of vCard 3.0 (RFC 2426) and 4.0 (RFC 6350) that knows only their grammar and shares nothing with the program:
/// whatever it dislikes, a strict server may refuse.
package struct StrictVCard {
    /// The errors of the card, line by line.
    package private(set) var breaches: [String] = []
    /// The unfolded content lines.
    package private(set) var lines: [(name: String, parameters: [(name: String, values: [String])], value: String)] = []
    private let is4: Bool

    /// Reads a card that has to be one of `version`.
    package init(_ bytes: [UInt8], version: String) {
        is4 = version == "4.0"
        guard let text = String(validating: bytes, as: UTF8.self) else {
            breaches = ["not UTF-8"]
            return
        }
        var physical = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        if physical.popLast() != "" { breaches.append("the last line has no CR LF") }
        var logical: [String] = []
        for line in physical {
            if line.contains("\n") || line.contains("\r") { breaches.append("bare line end: \(line)") }
            if line.utf8.count > 75 { breaches.append("long line: \(line)") }
            if line.hasPrefix(" ") || line.hasPrefix("\t"), !logical.isEmpty {
                logical[logical.count - 1] += line.dropFirst()
            } else {
                logical.append(line)
            }
        }
        for line in logical { read(line) }
        check(version)
    }

    private mutating func read(_ line: String) {
        func isWord(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || $0 == 0x2D }
        }
        var rest = Array(line)[...]
        func word() -> String { String(rest.prefix { !".;:=,".contains($0) }) }
        var name = word()
        rest = rest.dropFirst(name.count)
        if rest.first == "." {
            if !isWord(name) { breaches.append("group \(name): \(line)") }
            rest = rest.dropFirst()
            name = word()
            rest = rest.dropFirst(name.count)
        }
        if !isWord(name) { breaches.append("name \"\(name)\": \(line)") }
        var parameters: [(name: String, values: [String])] = []
        while rest.first == ";" {
            rest = rest.dropFirst()
            let key = word()
            rest = rest.dropFirst(key.count)
            guard isWord(key), rest.first == "=" else {
                breaches.append("parameter \"\(key)\": \(line)")
                return
            }
            var values: [String] = []
            repeat {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    let value = rest.dropFirst().prefix { $0 != "\"" }
                    rest = rest.dropFirst(value.count + 2)
                    values.append(String(value))
                } else {
                    let value = rest.prefix { !",;:\"".contains($0) }
                    rest = rest.dropFirst(value.count)
                    values.append(String(value))
                }
            } while rest.first == ","
            parameters.append((key.uppercased(), values))
        }
        guard rest.first == ":" else {
            breaches.append("no colon: \(line)")
            return
        }
        let value = String(rest.dropFirst())
        if value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            breaches.append("control character: \(line)")
        }
        lines.append((name.uppercased(), parameters, value))
    }

    private mutating func check(_ version: String) {
        let names = lines.map(\.name)
        if names.first != "BEGIN" || names.dropFirst().first != "VERSION" || names.last != "END" {
            breaches.append("frame: \(names)")
        }
        if lines.first(where: { $0.name == "VERSION" })?.value != version { breaches.append("version") }
        if !names.contains("FN") { breaches.append("no FN") }
        if !is4, !names.contains("N") { breaches.append("no N") }
        let once = is4 ? ["N", "BDAY", "ANNIVERSARY", "REV", "KIND", "UID", "GENDER"] : []
        for name in once {
            let same = lines.filter { line in line.name == name && !line.parameters.contains { $0.name == "ALTID" } }
            if same.count > 1 { breaches.append("\(name) \(same.count) times") }
        }
        for line in lines { check(line) }
    }

    private mutating func check(
        _ line: (name: String, parameters: [(name: String, values: [String])], value: String)
    ) {
        func parameter(_ name: String) -> String? {
            line.parameters.first { $0.name == name }?.values.first?.lowercased()
        }
        func fail(_ what: String) { breaches.append("\(what): \(line.name) \(line.parameters) \(line.value)") }
        if parameter("CHARSET") != nil { fail("CHARSET") }
        if let encoding = parameter("ENCODING"), is4 || encoding != "b" { fail("ENCODING") }
        if is4, let preference = parameter("PREF"), !(1...100).contains(Int(preference) ?? 0) { fail("PREF") }
        let isText = parameter("VALUE") == "text"
        switch line.name {
        case "FN", "NOTE", "TITLE", "ROLE": text(line.value, separators: "", fail)
        case "TEL" where parameter("VALUE") != "uri": text(line.value, separators: "", fail)
        case "EMAIL": text(line.value, separators: "", fail)
        case "ORG": text(line.value, separators: ";", fail)
        case "N", "ADR": text(line.value, separators: ",;", fail)
        case "NICKNAME", "CATEGORIES": text(line.value, separators: ",", fail)
        case _ where ["BDAY", "ANNIVERSARY"].contains(line.name) && !isText:
            let isDate: Bool
            if is4 {
                isDate =
                    line.value.wholeMatch(
                        of: /(\d{8}|\d{4}-\d\d|\d{4}|--\d{4}|--\d\d|---\d\d)?(T\d{2,6}(Z|[+-]\d{2,4})?)?/) != nil
            } else {
                isDate =
                    line.value.wholeMatch(
                        of: /(\d{4}(-?\d\d(-?\d\d)?)?|--\d\d(-\d\d)?|---\d\d)(T[0-9:.,]+(Z|[+-]\d\d:?\d\d)?)?/) != nil
            }
            if line.value.isEmpty || !isDate { fail("date") }
        case "REV" where is4: if line.value.wholeMatch(of: /\d{8}T\d{2,6}(Z|[+-]\d{2,4})?/) == nil { fail("REV") }
        case "GEO":
            let isPosition =
                is4
                ? line.value.wholeMatch(of: /geo:[-+\d.]+,[-+\d.]+.*/) != nil
                : line.value.wholeMatch(of: /[-+]?\d+(\.\d+)?;[-+]?\d+(\.\d+)?/) != nil
            if !isPosition { fail("GEO") }
        case "TZ" where parameter("VALUE") == "utc-offset":
            if line.value.wholeMatch(of: /[+-]\d{4}/) == nil { fail("TZ") }
        case "PHOTO", "LOGO", "SOUND":
            if is4 {
                if line.value.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:.*/) == nil { fail("no link") }
            } else if parameter("ENCODING") == "b" {
                if line.value.wholeMatch(of: /[A-Za-z0-9+\/]+=*/) == nil { fail("base64") }
            } else if parameter("VALUE") != "uri" {
                fail("no encoding")
            }
        case "LABEL", "MAILER", "CLASS", "AGENT", "NAME", "PROFILE", "SORT-STRING": if is4 { fail("gone in 4.0") }
        case "KIND", "MEMBER": if !is4 { fail("not in 3.0") }
        default: break
        }
    }

    /// Text whose escapes are those of the standards, with only `separators` standing bare.
    private func text(_ value: String, separators: String, _ fail: (String) -> Void) {
        var rest = Array(value)[...]
        while let letter = rest.popFirst() {
            if letter == "\\" {
                guard let next = rest.popFirst(), "\\,;nN".contains(next) else { return fail("escape") }
            } else if ",;".contains(letter), !separators.contains(letter) {
                return fail("bare separator")
            }
        }
    }
}
