import ContentLines

/// Converts pictures, sounds and keys without decoding them: base64 in 2.1 and 3.0, a `data:` URI in 4.0.
enum AttachmentConversion {
    /// Whether an unknown property contains data: in base64, or as the `data:` URI that it was converted to.
    static func isData(_ line: PropertyLine, _ property: Card.Property) -> Bool {
        property.flags.contains(.base64) || dataLink(line.content) != nil
    }

    /// Whether the line declares its encoding in the syntax of `version`.
    static func isValid(_ line: PropertyLine, _ version: VCardVersion) -> Bool {
        func value(_ name: String) -> String? {
            line.parameters.first { $0.name.uppercased() == name }?.written.lowercased()
        }
        if line.parameters.contains(where: \.name.isEmpty) || line.content.contains(where: \.isBlank) { return false }
        if version == .v4 { return value("ENCODING") == nil && (hasScheme(line.content) || value("VALUE") == "text") }
        return value("ENCODING") == "b" || value("ENCODING") == nil && ["uri", "text"].contains(value("VALUE") ?? "")
    }

    /// Converts the parameters and the value of `line`.
    static func convert(
        _ line: inout PropertyLine, _ kind: PropertyKind, from source: VCardVersion, to target: VCardVersion
    ) {
        var labels: [String] = []
        var type: String?
        for parameter in line.parameters where parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" {
            for word in parameter.values where !["BASE64", "B"].contains(word.uppercased()) {
                // VALUE declares a location in 4.0, and the kind of data in the other versions.
                if source == .v4 || ["home", "work", "pref"].contains(word.lowercased()) {
                    labels.append(word)
                } else {
                    type = type ?? word
                }
            }
        }
        if let media = line.parameters.first(where: { $0.name.uppercased() == "MEDIATYPE" })?.values.first {
            type = word(ofMedia: media)
        }
        let isEncoded = line.parameters.contains { parameter in
            let isEncoding = parameter.name.isEmpty || parameter.name.uppercased() == "ENCODING"
            return isEncoding && parameter.values.contains { ["B", "BASE64"].contains($0.uppercased()) }
        }
        let rest = line.parameters.filter { parameter in
            !["", "TYPE", "ENCODING", "VALUE", "MEDIATYPE", "CHARSET"].contains(parameter.name.uppercased())
        }
        let places = PropertyLine.typeParameters(labels, version: target)
        let types = PropertyLine.typeParameters(
            [type].compactMap(\.self).filter { !$0.isEmpty } + labels, version: target)
        let mediaType = type.map { [ContentParameter("MEDIATYPE", written: media(ofWord: $0, kind))] } ?? []
        line.isQuotedPrintable = false
        var data = line.content.filter { !$0.isBlank }
        if !isEncoded, let (media, content) = dataLink(data) {
            (type, data) = (word(ofMedia: media), content)
        } else if !isEncoded, kind == .key, !hasScheme(data) {
            // A key may be text, which is only visible in its parameters.
            let text = ContentParameter("VALUE", written: "text")
            line.parameters = rest + (target == .v4 ? [text] + mediaType + places : [text] + types)
            return
        } else if !isEncoded, hasScheme(data) || sniff(data) == nil {
            let link = ContentParameter("VALUE", written: target == .v2 ? "URL" : "uri")
            line.parameters = rest + (target == .v4 ? mediaType + places : [link] + types)
            return
        }
        if target == .v4 {
            let media = media(ofWord: type ?? sniff(data) ?? "", kind)
            // A property that is not known to contain a URI must declare it.
            line.parameters = rest + places + (kind == .unknown ? [ContentParameter("VALUE", written: "uri")] : [])
            line.content = Array("data:\(media);base64,".utf8) + data
        } else {
            let encoding = ContentParameter("ENCODING", written: target == .v2 ? "BASE64" : "b")
            let words = [type ?? sniff(data)].compactMap(\.self).filter { !$0.isEmpty } + labels
            line.parameters = [encoding] + PropertyLine.typeParameters(words, version: target) + rest
            line.content = data
        }
    }

    /// Whether the value starts with a URI scheme.
    private static func hasScheme(_ content: [UInt8]) -> Bool {
        guard let colon = content.firstIndex(of: ASCII.colon), colon > 1, content[0].uppercasedASCII &- 0x41 < 26 else {
            return false
        }
        return content[..<colon].allSatisfy { byte in
            byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }

    /// The media type and the base64 text of a `data:` URI (RFC 2397); its comma may be escaped.
    private static func dataLink(_ content: [UInt8]) -> (media: String, data: [UInt8])? {
        guard content.span.hasWord("DATA:", at: 0), let comma = content.firstIndex(of: ASCII.comma) else { return nil }
        let header = String(decoding: content[5..<comma], as: UTF8.self).filter { $0 != "\\" }
        guard header.lowercased().hasSuffix(";base64") else { return nil }
        return (String(header.dropLast(7)), Array(content[(comma + 1)...]))
    }

    private static func media(ofWord word: String, _ kind: PropertyKind) -> String {
        let word = word.lowercased()
        if word.contains("/") { return word }
        if word.isEmpty { return "application/octet-stream" }
        switch (kind, word) {
        case (.key, "pgp"): return "application/pgp-keys"
        case (.key, "x509"): return "application/pkix-cert"
        case (.key, _): return "application/\(word)"
        case (.sound, _): return "audio/\(word == "wave" ? "wav" : word)"
        default: return "image/\(word == "jpg" ? "jpeg" : word)"
        }
    }

    /// The `TYPE` value of 2.1 and 3.0 for a media type.
    private static func word(ofMedia media: String) -> String {
        switch media.lowercased() {
        case "application/pgp-keys": "PGP"
        case "application/pkix-cert": "X509"
        case "audio/wav": "WAVE"
        default: media.split(separator: "/").last.map { $0.uppercased() } ?? ""
        }
    }

    /// The type of a picture by the first characters of its base64 text.
    private static func sniff(_ data: [UInt8]) -> String? {
        let start = String(decoding: data.prefix(6), as: UTF8.self)
        if start.hasPrefix("/9j/") { return "JPEG" }
        if start.hasPrefix("iVBOR") { return "PNG" }
        if start.hasPrefix("R0lGOD") { return "GIF" }
        return nil
    }
}
