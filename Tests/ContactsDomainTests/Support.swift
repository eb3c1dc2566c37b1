import ContactsDomain
import Text

/// Cards laid out by hand as real programs write them.
enum Samples {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("agent", PackageResources.agent_vcf), ("android", PackageResources.android_vcf),
        ("apple", PackageResources.apple_vcf), ("apple-utf16", PackageResources.apple_utf16_vcf),
        ("blackberry", PackageResources.blackberry_vcf), ("evolution", PackageResources.evolution_vcf),
        ("gmail", PackageResources.gmail_vcf), ("iphone", PackageResources.iphone_vcf),
        ("khard", PackageResources.khard_vcf), ("lotus", PackageResources.lotus_vcf),
        ("moment", PackageResources.moment_vcf), ("nokia", PackageResources.nokia_vcf),
        ("outlook-2003", PackageResources.outlook_2003_vcf), ("outlook-2007", PackageResources.outlook_2007_vcf),
        ("radicale", PackageResources.radicale_vcf), ("rfc6350", PackageResources.rfc6350_vcf),
        ("thunderbird", PackageResources.thunderbird_vcf),
    ]

    /// The cards of one file.
    static func cards(_ name: String) -> [Card] {
        let bytes = all.first { $0.name == name }?.bytes ?? []
        return split(bytes).cards.map { Card($0.bytes) }
    }

    /// Every card of every file.
    static var everyCard: [Card] { all.flatMap { cards($0.name) } }
}

/// Cuts `bytes` in one go, or in chunks of `size` bytes.
func split(
    _ bytes: [UInt8], chunk size: Int? = nil, limits: VCardSplitter.Limits = .init()
) -> (cards: [RawCard], problems: [InputProblem]) {
    var splitter = VCardSplitter(limits: limits)
    var items: [VCardSplitter.Item] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + (size ?? bytes.count))
        items += splitter.feed(Array(bytes[start..<end]))
        start = end
    }
    items += splitter.finish()
    var cards: [RawCard] = []
    var problems: [InputProblem] = []
    for item in items {
        switch item {
        case .card(let card): cards.append(card)
        case .problem(let problem): problems.append(problem)
        }
    }
    return (cards, problems)
}

/// A card around these lines.
func card(_ lines: String..., version: String = "3.0", lineEnd: String = "\r\n") -> Card {
    Card((["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: lineEnd))
}

extension Card {
    /// The bytes as text.
    var source: String { String(decoding: bytes, as: UTF8.self) }

    /// The physical lines.
    var lines: [String] { source.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init) }
}

extension ContactDetails {
    /// The `UID` as text.
    var uidText: String? { uid?.repairedText }
}
