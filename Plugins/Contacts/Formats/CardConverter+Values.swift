import ContentLines
import TextDecoding

/// Converts values whose syntax differs between versions, or that a version does not allow.
extension CardConverter {
    /// Converts the value to the target version; valid values keep their bytes.
    func convertValue(_ line: inout PropertyLine, _ kind: PropertyKind, _ property: Card.Property) {
        let isEncoded = property.flags.contains(.quotedPrintable) || property.flags.contains(.charset)
        switch kind {
        case _ where kind.isBinary || kind == .unknown && AttachmentConversion.isData(line, property):
            if card.version != target || !AttachmentConversion.isValid(line, target) {
                AttachmentConversion.convert(&line, kind, from: card.version, to: target)
            }
        case .birthday, .anniversary, .extendedAnniversary, .evolutionAnniversary: convertDate(&line, kind, property)
        case .phone where target != .v4 && card.parameter("VALUE", of: property)?.lowercased() == "uri":
            line.setValue(.text(card.plainValue(property)), kind, version: target)
        case .agent where isNested(property): line.setValue(.text(nestedCard(property)), kind, version: target)
        case .revision where target == .v4: convertRevision(&line, property)
        case .unknown where line.name.uppercased() == "GEO": convertPosition(&line, property)
        case .unknown where line.name.uppercased() == "TZ" && card.version != target: convertZone(&line, property)
        case _ where card.version == .v2 || target == .v2 || isEncoded || !isUTF8(line.content):
            line.setValue(value(property), kind, version: target)
        case _ where isLink(kind, property):
            if line.content.contains(where: { $0 == ASCII.backslash || $0 < 0x20 || $0 == 0x7F }) {
                line.setValue(.uri(card.text(property).filter { $0 != "\\" }), kind, version: target)
            }
        default:
            let isDeclared = ["uri", "url"].contains(card.parameter("VALUE", of: property)?.lowercased() ?? "")
            line.content = CardConverter.repaired(line.content, isDeclared ? .unknown : kind)
        }
    }

    /// Whether the value is a URI by the kind of its property.
    private func isLink(_ kind: PropertyKind, _ property: Card.Property) -> Bool {
        [.url, .uid, .messenger, .related, .member].contains(kind)
            && card.parameter("VALUE", of: property)?.lowercased() != "text"
    }

    private func isUTF8(_ content: [UInt8]) -> Bool { String(validating: content, as: UTF8.self) != nil }

    /// The decoded value in the structure of its property.
    func value(_ property: Card.Property) -> PropertyValue {
        switch property.kind {
        case .name where target == .v2 && card.version != .v2:
            // 2.1 has no lists inside a component.
            let name = card.structuredName(property)
            return .components([name.family, name.given, name.additional, name.prefix, name.suffix])
        case .name, .address, .organization: return .components(card.components(property))
        case .categories, .nickname: return .list(card.list(property))
        case .url, .messenger, .uid: return .uri(card.text(property))
        case .related where card.parameter("VALUE", of: property)?.lowercased() != "text":
            return .uri(card.text(property))
        case .unknown:
            // An unknown property may have components.
            let parts = card.components(property)
            return parts.count > 1 ? .components(parts) : .text(card.text(property))
        default: return .text(card.text(property))
        }
    }

    /// The value with only the escapes of the standards (RFC 2426 §5, RFC 6350 §3.4): other separators are escaped,
    /// unknown escapes and control characters are removed.
    private static func repaired(_ content: [UInt8], _ kind: PropertyKind) -> [UInt8] {
        let (commas, semicolons): (Bool, Bool) =
            switch kind {
            case .name, .address, .unknown, .categories, .nickname, .revision, .created, .lastModified: (true, true)
            case .organization: (false, true)
            default: (false, false)
            }
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            let byte = content[index]
            index += 1
            switch byte {
            case ASCII.backslash where kind == .unknown: result.append(byte)
            case ASCII.backslash:
                guard index < content.count else {
                    result += [byte, byte]
                    break
                }
                let letter = content[index]
                index += 1
                if [ASCII.backslash, ASCII.comma, ASCII.semicolon, 0x6E, 0x4E].contains(letter) { result.append(byte) }
                result.append(letter)
            case ASCII.comma where !commas, ASCII.semicolon where !semicolons: result += [ASCII.backslash, byte]
            case _ where byte < 0x20 && byte != ASCII.tab || byte == 0x7F: break
            default: result.append(byte)
            }
        }
        return result
    }

    /// A date, with its time of day if it has one.
    private func convertDate(_ line: inout PropertyLine, _ kind: PropertyKind, _ property: Card.Property) {
        guard let date = card.date(property) else {
            return line.setValue(.date(.text(card.trimmedText(property))), kind, version: target)
        }
        let text = card.trimmedText(property)
        let time = text.firstIndex { $0 == "T" || $0 == "t" }.map { String(text[text.index(after: $0)...]) }
        line.setValue(.date(date), kind, version: target)
        guard case .date = date, let time, time.contains(where: \.isNumber) else { return }
        let day = String(decoding: line.content, as: UTF8.self)
        let moment = target == .v4 ? JCard.basic("\(day)T\(time)") : JCard.extended("\(day)T\(time)")
        // What programs write behind the day may be no time, and hold a line break.
        let isTime = moment.utf8.allSatisfy { "0123456789-+:.,TtZz".utf8.contains($0) }
        line.content = Array((isTime ? moment : ValueEncoding.escaped(moment)).utf8)
    }

    /// The time of the last change in the basic format of 4.0; an invalid one is kept under another name.
    private func convertRevision(_ line: inout PropertyLine, _ property: Card.Property) {
        let text = card.trimmedText(property)
        line.parameters.removeAll { $0.name.uppercased() == "VALUE" }
        guard RevisionStamp.time(text) != nil else {
            line.name = "X-REV"
            line.setValue(.text(text), .unknown, version: target)
            return
        }
        let parts = text.uppercased().split(separator: "T", maxSplits: 1)
        var moment = parts[0].filter(\.isNumber)
        if parts.count > 1 { moment += "T" + parts[1].filter { $0 != ":" } }
        // 4.0 has no fractions of a second.
        if let point = moment.firstIndex(where: { $0 == "." || $0 == "," }) {
            let end = moment[point...].dropFirst().firstIndex { !$0.isNumber } ?? moment.endIndex
            moment.removeSubrange(point..<end)
        }
        line.content = Array((moment.contains("T") ? moment : "\(moment)T000000Z").utf8)
    }

    /// A position: a `geo:` URI in 4.0 (RFC 5870), latitude and longitude with a semicolon in 3.0, and in 2.1 longitude
    /// and latitude with a comma.
    private func convertPosition(_ line: inout PropertyLine, _ property: Card.Property) {
        let text = card.text(property).replacing("\n", with: " ").trimmed
        let isLink = text.lowercased().hasPrefix("geo:")
        let plain = isLink ? text.dropFirst(4).prefix { $0 != ";" } : text[...]
        var numbers = plain.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == "," }.map(\.trimmed)
        guard numbers.count >= 2, numbers.prefix(2).allSatisfy({ Double($0) != nil }) else {
            if card.version == .v2 || target == .v2 {
                line.setValue(.text(text), .unknown, version: target)
            } else if !isLink, target == .v4, !text.contains(":") {
                line.name = "X-GEO"
            }
            return
        }
        let isLongitudeFirst = card.version == .v2 && !isLink && !text.contains(";") && isLatitude(numbers[1])
        if isLongitudeFirst { numbers.swapAt(0, 1) }
        let rest = isLink ? text.dropFirst(4 + plain.count) : ""
        switch target {
        case .v4:
            line.parameters.removeAll { $0.name.uppercased() == "VALUE" }
            line.content = Array("geo:\(numbers.joined(separator: ","))\(rest)".utf8)
        case .v3: line.content = Array(numbers.prefix(2).joined(separator: ";").utf8)
        case .v2: line.content = Array("\(numbers[1]),\(numbers[0])".utf8)
        }
        if target != .v4 {
            line.parameters.removeAll { ["VALUE", "ENCODING", "CHARSET"].contains($0.name.uppercased()) }
            // The older versions cannot express altitude and uncertainty.
            if numbers.count > 2 || !rest.isEmpty {
                let more = numbers.dropFirst(2).map { ",\($0)" }.joined() + rest
                line.parameters.append(ContentParameter("X-HUB-GEO", written: ContentParameter.quoted(more)))
            }
        }
        line.isQuotedPrintable = false
    }

    private func isLatitude(_ number: String) -> Bool { Double(number).map { abs($0) <= 90 } ?? false }

    /// A UTC offset, which is the default type in 3.0 and must be declared in 4.0.
    private func convertZone(_ line: inout PropertyLine, _ property: Card.Property) {
        let text = card.text(property).trimmed
        let digits = text.dropFirst().filter { $0 != ":" }
        let isOffset =
            (text.first == "+" || text.first == "-") && (digits.count == 2 || digits.count == 4)
            && digits.allSatisfy(\.isNumber)
        guard isOffset else { return line.setValue(.text(text), .unknown, version: target) }
        line.setValue(.text(text), .unknown, version: target)
        let hours = "\(text.prefix(1))\(digits.prefix(2))"
        let minutes = digits.count == 4 ? digits.suffix(2) : "00"
        if target == .v4 {
            line.parameters.append(ContentParameter("VALUE", written: "utc-offset"))
            line.content = Array("\(hours)\(minutes)".utf8)
        } else {
            line.content = Array("\(hours):\(minutes)".utf8)
        }
    }

    /// Whether the value is a card on the following lines.
    private func isNested(_ property: Card.Property) -> Bool {
        let value = card.bytes[property.value]
        let first = value.firstIndex { !$0.isBlank } ?? value.endIndex
        return first < value.endIndex && (value[first] == ASCII.cr || value[first] == ASCII.lf)
            && property.flags.contains(.folded)
    }

    /// The card of an `AGENT` in 2.1, whose lines the later versions write as one text.
    private func nestedCard(_ property: Card.Property) -> String {
        let lines = card.bytes[property.value].split { $0 == ASCII.cr || $0 == ASCII.lf }
        return lines.map { TextDecoding.decode(Array($0)) }.joined(separator: "\n").trimmed
    }
}
