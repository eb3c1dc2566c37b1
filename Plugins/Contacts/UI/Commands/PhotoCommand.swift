import Commands
import ContactsDomain
import Glibc
import HubKit

/// `hub contacts photo`: shows, saves, sets or removes the picture of a contact.
enum PhotoCommand {
    private static let set = Option<String>(
        "set", "FILE", help: "set the picture from FILE",
        completion: .files(["jpg", "jpeg", "png", "gif", "webp", "bmp"]))
    private static let remove = Flag("remove", help: "remove the picture")

    private static let fields = [
        Field<Shown>("id", "ID", help: "id of the contact") { .text($0.id) },
        Field<Shown>("name", "NAME", help: "name of the contact") { .text($0.name) },
        Field<Shown>("type", "TYPE", help: "image type: jpeg, png, gif, webp, bmp, or link") { FieldValue($0.type) },
        Field<Shown>("size_bytes", "BYTES", help: "size in bytes", align: .trailing) { FieldValue($0.size) },
        Field<Shown>("link", "LINK", help: "URL of a linked picture") { FieldValue($0.link) },
    ]

    static let command = Command(
        "photo", summary: "show, save, set or remove the picture of a contact",
        discussion: ["Linked pictures are never fetched."],
        examples: [
            Example("hub contacts photo lukasz", "show type and size"),
            Example("hub contacts photo lukasz -o lukasz.jpg", "save to a file"),
            Example("hub contacts photo lukasz --set portrait.png", "set the picture"),
        ], prominence: .more, parameters: [ContactCommands.one, set, remove], exclusive: [["set", "remove"]],
        fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await contacts.entities.select(input[ContactCommands.one], asking: input)
        if let file = input[set] {
            let picture = try await ChunkedFileReader.contents(of: file, limit: ContactsPlugin.maximumPhotoLength)
            return try await change(chosen, to: picture, contacts, input)
        }
        if input[remove] { return try await change(chosen, to: nil, contacts, input) }
        let photo = try await contacts.entities.get(chosen.id).card.photo
        if input[GlobalOptions.output] != nil { return .file(try bytes(photo, of: chosen.name)) }
        return try await shown(photo, of: chosen, contacts)
    }

    private static func change(
        _ contact: ContactSummary, to picture: [UInt8]?, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        let name = try await contacts.entities.label(of: contact)
        if let picture { try ContactsPlugin.checkPhoto(picture) }
        let what = picture.map { "picture \(describe($0))" } ?? "picture removed"
        if input.dryRun { return .done("\(name) would change: \(what)") }
        let result = try await contacts.setPhoto(of: contact.id, to: picture, operation: Operation(input))
        return result.isChanged ? .edited("\(name): \(what)") : .done("\(name): nothing changed")
    }

    private static func shown(
        _ photo: CardPhoto?, of contact: ContactSummary, _ contacts: ContactsPlugin
    ) async throws -> Output {
        let name = try await contacts.entities.label(of: contact)
        var shown = Shown(id: contact.id, name: contact.name)
        switch photo {
        case .picture(let bytes):
            (shown.type, shown.size) = (PictureType(sniffing: bytes)?.rawValue, bytes.count)
            return .record(shown, fields, human: ["\(name): \(describe(bytes))"])
        case .link(let link):
            (shown.type, shown.link) = ("link", link)
            return .record(shown, fields, human: ["\(name): linked picture: \(link)"])
        case .unreadable(let count):
            shown.size = count
            return .record(shown, fields, human: ["\(name): \(count) bytes that are not an image"])
        case nil:
            var output = Output.list([], fields, empty: Diagnostic("\(name) has no picture"))
            output.exit = .no
            return output
        }
    }

    private static func bytes(_ photo: CardPhoto?, of name: String) throws(HubError) -> [UInt8] {
        switch photo {
        case .picture(let bytes): return bytes
        case .link(let link):
            throw HubError(
                .notFound, code: "photo-is-link", "the picture of \(name) is a link",
                details: ["hub does not fetch \(link)"])
        case .unreadable:
            throw HubError(.invalid, code: "photo-unreadable", "the picture of \(name) cannot be read")
        case nil: throw HubError(.notFound, code: "no-photo", "\(name) has no picture")
        }
    }

    private static func describe(_ bytes: [UInt8]) -> String {
        let size =
            bytes.count < 10_000
            ? "\(NumberFormat.grouped(bytes.count)) bytes" : "\(NumberFormat.grouped(bytes.count / 1000)) kB"
        return "\(PictureType(sniffing: bytes)?.rawValue.uppercased() ?? "unknown"), \(size)"
    }

    /// The picture as an output row.
    private struct Shown: Sendable {
        let id: String
        let name: String
        var type: String?
        var size: Int?
        var link: String?
    }
}
