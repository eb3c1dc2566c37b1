import ContactsDomain

/// Address books laid out by hand as other programs export them.
enum Books {
    static let all: [(name: String, bytes: [UInt8], format: ImportFormat)] = [
        ("google", PackageResources.google_csv, .csv), ("google-old", PackageResources.google_old_csv, .csv),
        ("outlook", PackageResources.outlook_csv, .csv), ("thunderbird", PackageResources.thunderbird_csv, .csv),
        ("abook", PackageResources.addressbook_abook, .abook),
        ("thunderbird-ldif", PackageResources.thunderbird_ldif, .ldif),
        ("evolution", PackageResources.evolution_ldif, .ldif), ("jcard", PackageResources.cards_json, .jcard),
    ]

    /// The result of reading one book.
    static func reading(_ name: String) -> Reading {
        read(all.first { $0.name == name }?.bytes ?? [])
    }
}

/// The items that a reader found in a file.
struct Reading {
    var cards: [Card] = []
    var raw: [RawCard] = []
    var problems: [InputProblem] = []

    var details: [ContactDetails] { cards.map(\.details) }
    var names: [String] { details.map(\.displayName) }
}

/// Reads `bytes` in one go, or in chunks of `size` bytes.
func read(_ bytes: [UInt8], as format: ImportFormat? = nil, chunk size: Int? = nil) -> Reading {
    var file = CardFileReader(format)
    var items: [FoundCard] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + (size ?? bytes.count))
        items += file.feed(Array(bytes[start..<end]))
        start = end
    }
    items += file.finish()
    var reading = Reading()
    for item in items {
        switch item {
        case .card(let raw):
            reading.raw.append(raw)
            reading.cards.append(Card(raw.bytes))
        case .problem(let problem): reading.problems.append(problem)
        }
    }
    return reading
}

/// Reads the bytes of a text.
func read(_ text: String, as format: ImportFormat? = nil) -> Reading { read(Array(text.utf8), as: format) }
