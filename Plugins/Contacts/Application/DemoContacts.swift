import CivilDate
import Commands
import ContactsDomain
package import HubKit
import Storage
import Synchronization

/// The people of `hub demo`.
package enum DemoContacts {
    /// An imported address book, new people through the year, corrections, a second import with people who are there already, and
    /// two contacts in the trash.
    package static let declaration = DemoDeclaration { year in
        var random = year.random("contacts")
        let people = people(year, &random)
        let (first, later) = (people.prefix(people.count - laterCount), people.suffix(laterCount))
        var steps = [
            year.step(daysAgo: 362, "19:40") { (contacts: ContactsPlugin) in
                try await contacts.importDemo("address-book.vcf", Array(first))
            },
            year.step(daysAgo: 361, "20:05") { (contacts: ContactsPlugin) in
                let ids = try await contacts.ids(of: DemoYear.friends)
                _ = try await contacts.createGroup(
                    "Tuesday choir", of: ids, book: nil,
                    operation: Operation(
                        "contacts groups new", commandLine: "contacts groups new 'Tuesday choir' --tag friends"))
            },
            year.step(daysAgo: 203, "18:12") { (contacts: ContactsPlugin) in
                let id = try await contacts.ids(of: ["Ines Okafor"])[0]
                _ = try await contacts.update(id, operation: command("set", "ines 'organization=Harbour Theatre'")) {
                    $0.organization = ["Harbour Theatre"]
                    $0.title = "Stage designer"
                }
            },
            year.step(daysAgo: 96, "12:31") { (contacts: ContactsPlugin) in
                let id = try await contacts.ids(of: ["Tomas Breivik"])[0]
                _ = try await contacts.update(id, operation: command("set", "tomas 'note=…'")) {
                    $0.note = "Lends his cargo bike. Allergic to walnuts."
                }
            },
            // The same people under other UIDs, as another program would export them.
            year.step(daysAgo: 41, "21:20") { (contacts: ContactsPlugin) in
                let known = Array(first.dropFirst(8).prefix(5))
                try await contacts.importDemo("old-phone.vcf", known.map(\.onAnotherPhone))
            },
            year.step(daysAgo: 12, "09:15") { (contacts: ContactsPlugin) in
                let ids = try await contacts.ids(of: first.suffix(2).map(\.name))
                _ = try await contacts.entities.delete(ids, operation: command("rm", "--tag removals"))
            },
        ]
        for (number, person) in later.enumerated() {
            let step = year.step(daysAgo: 340 - number * 13, "17:\(10 + number)") { (contacts: ContactsPlugin) in
                try await contacts.importDemo("card.vcf", [person])
            }
            steps.append(step)
        }
        return steps
    }

    /// The number of people that are met in the course of the year.
    private static let laterCount = 24

    fileprivate static func command(_ verb: String, _ rest: String) -> Operation {
        Operation("contacts \(verb)", commandLine: "contacts \(verb) \(rest)")
    }

    private static let givenNames = [
        "Ada", "Bruno", "Chidi", "Dagny", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jun", "Katya", "Leif", "Mei",
        "Noor", "Olga", "Pavel", "Quirin", "Rosa", "Sami", "Thea", "Umar", "Vera", "Wanda", "Yara", "Zeno", "Łucja",
        "Søren", "Åsa", "Joaquín", "Zoë",
    ]
    private static let familyNames = [
        "Abara", "Brandt", "Castell", "Dvořák", "Eklund", "Ferraro", "Grabowski", "Haddad", "Ito", "Jansen", "Kovač",
        "Lindqvist", "Moreau", "Novak", "Oyelaran", "Petrov", "Quist", "Rossi", "Silva", "Tanaka", "Ueda", "Vance",
        "Weiss", "Yilmaz", "Zielinski",
    ]
    private static let places = [
        ("Quay Street 4", "Northhaven"), ("Mill Lane 17", "Northhaven"), ("Orchard Road 2", "Easterby"),
        ("Station Square 9", "Westmoor"), ("Chapel Hill 31", "Easterby"),
    ]
    private static let employers = [
        "Harbour Theatre", "Westmoor Clinic", "Fernhill School", "Tidal Works", "Oak & Pine",
    ]

    private static func people(_ year: DemoYear, _ random: inout DemoRandom) -> [DemoPerson] {
        var people = DemoYear.friends.enumerated().map { number, name in
            var person = person(name, &random)
            person.tags = number < 2 ? ["friends", "family"] : ["friends"]
            // One of them has a birthday today, others soon.
            person.birthday = birthday(year.today.adding(days: [0, 2, 6, 40, 130][number]), age: 31 + number * 3)
            return person
        }
        var taken = Set(people.map(\.name))
        while people.count < 120 {
            let name = "\(random.pick(givenNames)) \(random.pick(familyNames))"
            guard taken.insert(name).inserted else { continue }
            var person = person(name, &random)
            person.tags = [random.pick(["work", "neighbours", "climbing", "choir", "school", "work"])]
            if random.happens(60) {
                let day = year.today.adding(days: Int.random(in: 1...360, using: &random))
                person.birthday = birthday(day, age: Int.random(in: 19...78, using: &random))
            }
            people.append(person)
        }
        let removals = [person("Kwik Removals", &random), person("City Removals", &random)]
        return people.dropLast(laterCount) + removals + people.suffix(laterCount)
    }

    private static func person(_ name: String, _ random: inout DemoRandom) -> DemoPerson {
        let letters = ContactIndexRow.folded(name).split(separator: " ")
        let place = random.pick(places)
        return DemoPerson(
            name: name, email: letters.joined(separator: ".") + "@example.org",
            // Numbers that are kept free for fiction.
            phone: "+44 7700 900\(Int.random(in: 100...999, using: &random))", street: place.0, town: place.1,
            employer: random.happens(45) ? random.pick(employers) : nil,
            uid: "demo-\(String(random.next(), radix: 16))")
    }

    /// The birthday of a person who becomes `age` on `day`.
    private static func birthday(_ day: CivilDate, age: Int) -> String {
        let parts = day.components
        // The 29th of February is not in every year.
        let date = CivilDate(year: parts.year - age, month: parts.month, day: parts.day) ?? day.adding(days: -1)
        return "\(date)"
    }
}

/// A person whose card is imported.
private struct DemoPerson: Sendable {
    let name: String
    let email: String
    let phone: String
    let street: String
    let town: String
    let employer: String?
    var uid: String
    var tags: [String] = []
    var birthday: String?

    /// The same person as a phone knows them: without address and birthday, under another UID.
    var onAnotherPhone: DemoPerson {
        var person = self
        (person.uid, person.tags, person.birthday) = (uid + "-phone", [], nil)
        return person
    }

    /// The lines of the card (vCard 4.0).
    var card: String {
        let words = name.split(separator: " ", maxSplits: 1)
        var lines = [
            "BEGIN:VCARD", "VERSION:4.0", "UID:\(uid)", "FN:\(name)", "N:\(words.last ?? "");\(words.first ?? "");;;",
            "TEL;TYPE=cell:\(phone)", "EMAIL;TYPE=home:\(email)", "ADR;TYPE=home:;;\(street);\(town);;;",
        ]
        if let birthday { lines.append("BDAY:\(birthday)") }
        if let employer { lines.append("ORG:\(employer)") }
        if !tags.isEmpty { lines.append("CATEGORIES:\(tags.joined(separator: ","))") }
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }
}

extension ContactsPlugin {
    /// Imports cards as a file of this name.
    fileprivate func importDemo(_ name: String, _ people: [DemoPerson]) async throws {
        let bytes = Once(Array(people.map(\.card).joined().utf8))
        _ = try await importCards(
            ImportSource(name) { bytes.take() }, operation: DemoContacts.command("import", name))
    }

    /// Returns the ids of contacts with these names.
    fileprivate func ids(of names: [String]) async throws -> [String] {
        var ids: [String] = []
        for name in names { ids += try await entities.resolve(name).prefix(1).map(\.id) }
        return ids
    }
}

/// The bytes of a file that is read in one piece.
private final class Once: Sendable {
    private let bytes: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func take() -> [UInt8]? { bytes.withLock { $0.take() } }
}
