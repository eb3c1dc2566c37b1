/// Pictures, sounds and keys: encoded in 2.1 and 3.0, a `data:` link in 4.0; never decoded on the way.
enum AttachmentConversion {
    /// Rewrites parameters and value of `line`.
    static func convert(
        _ line: inout PropertyLine, _ kind: PropertyKind, from source: VCardVersion, to target: VCardVersion
    ) {
        var type = line.parameters.first { $0.name.isEmpty || $0.name.uppercased() == "TYPE" }
            .flatMap { $0.values.first { !["BASE64", "B"].contains($0.uppercased()) } }
        let isEncoded = line.parameters.contains { parameter in
            let isEncoding = parameter.name.isEmpty || parameter.name.uppercased() == "ENCODING"
            return isEncoding && parameter.values.contains { ["B", "BASE64"].contains($0.uppercased()) }
        }
        let rest = line.parameters.filter { parameter in
            !["", "TYPE", "ENCODING", "VALUE", "MEDIATYPE"].contains(parameter.name.uppercased())
        }
        var data = line.content.filter { !$0.isBlank }
        var isLink = !isEncoded
        if isLink, let (media, content) = dataLink(data) {
            isLink = false
            (type, data) = (word(ofMedia: media), content)
        }
        if isLink {
            let link = Card.Parameter(name: "VALUE", value: target == .v2 ? "URL" : "uri")
            line.parameters = rest + (target == .v4 ? [] : [link])
        } else if target == .v4 {
            let media = media(ofWord: type ?? sniff(data) ?? "", kind)
            line.parameters = rest
            line.content = Array("data:\(media);base64,".utf8) + data
        } else {
            let encoding = Card.Parameter(name: "ENCODING", value: target == .v2 ? "BASE64" : "b")
            let types = PropertyLine.typeParameters([type ?? sniff(data)].compactMap(\.self), version: target)
            line.parameters = [encoding] + types + rest
            line.content = data
        }
        line.isQuotedPrintable = false
    }

    /// The media type and the base64 text of a `data:` link (RFC 2397); its comma may be escaped.
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

    /// The word of 2.1 and 3.0 for a media type.
    private static func word(ofMedia media: String) -> String {
        switch media.lowercased() {
        case "application/pgp-keys": "PGP"
        case "application/pkix-cert": "X509"
        case "audio/wav": "WAVE"
        default: media.split(separator: "/").last.map { $0.uppercased() } ?? ""
        }
    }

    /// The kind of a picture by the first letters of its base64 text.
    private static func sniff(_ data: [UInt8]) -> String? {
        let start = String(decoding: data.prefix(6), as: UTF8.self)
        if start.hasPrefix("/9j/") { return "JPEG" }
        if start.hasPrefix("iVBOR") { return "PNG" }
        if start.hasPrefix("R0lGOD") { return "GIF" }
        return nil
    }
}
