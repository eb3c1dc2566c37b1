/// The people of the examples, as they come in files.
enum Cards {
    static let ada = card("Ada Lovelace", "N:Lovelace;Ada;;;", "UID:ada", "EMAIL:ada@example.org")
    static let anna = card(
        "Anna Lukasz", "N:Lukasz;Anna;;;", "UID:anna", "TEL:+49 171 2345678", "EMAIL:anna@example.org",
        "CATEGORIES:work")
    static let lukasz = card(
        "Łukasz Nowak", "N:Nowak;Łukasz;;;", "UID:lukasz", "TEL;TYPE=CELL:+48 601 234 567",
        "EMAIL;TYPE=HOME:lukasz@nowak.pl", "BDAY:1985-02-31", "CATEGORIES:friends", "TITLE:Engineer", "X-ONE:1",
        "X-TWO:2",
        "X-THREE:3", "X-FOUR;ODD=yes:4")

    /// A vCard 3.0 with these property lines.
    static func card(_ name: String, _ properties: String...) -> String { card(name, properties) }

    /// A vCard 3.0 with these property lines.
    static func card(_ name: String, _ properties: [String]) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)"] + properties + ["END:VCARD", ""]).joined(separator: "\n")
    }
}
