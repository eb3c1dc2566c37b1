import Commands
import DAVServer
import HTTPClient
import HubKit
import QRCode
import Storage
import WebServer

/// `hub devices`: the phones and programs that may use the contacts here, each with a password of its own.
enum DevicesCommands {
    static let command = Command(
        group: "devices", aliases: ["device"], summary: "let phones and other programs use contacts and tasks",
        prominence: .full, view: "list", subcommands: [list, add, profile, remove, log, refused])

    private static let name = Argument<String>(
        "NAME", help: "name of the device",
        completion: .from(Hub.self) { hub, _ in
            try await DeviceStore(hub.database()).devices().map { CompletionWord($0.name) }
        })
    private static let newName = Argument<String>("NAME", help: "name of the device: small letters, digits, - and .")
    private static let scope = Option<[Scope]>(
        "only", "WHAT", help: "what the device may use; may be repeated (default: contacts and tasks)")
    private static let readOnly = Flag("read-only", help: "let the device read and change nothing")
    private static let eachBook = Flag("each-book", help: "give the device each address book by itself")
    private static let isHub = Flag("hub", help: "print a line for hub join on another machine of yours")
    private static let number = Arguments<Int>("N", .optional, help: "number of an entry, to print what was sent")

    /// What a device may use.
    private enum Scope: String, ChoiceArgument {
        case contacts, tasks, notes, records, files
    }

    private static let fields = [
        Field<RegisteredDevice>("name", "NAME", help: "name and user name of the device") { .text($0.name) },
        Field<RegisteredDevice>("scopes", "SCOPE", help: "what it may use") {
            .text($0.scopeText)
        },
        Field<RegisteredDevice>("seen_at", "LAST SEEN", help: "time of its last request") { device in
            device.seenAt.map { FieldValue.instant($0) } ?? .null
        },
        Field<RegisteredDevice>("program", "CLIENT", help: "program of that request") { .text($0.program) },
    ]

    private static let list = Command(
        "list", summary: "list the devices",
        examples: [
            Example("hub devices", "list the devices, with the time and the program of their last request"),
            Example("hub devices list --json", "the same for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in
        .list(
            try await DeviceStore(hub.database()).devices(), fields,
            empty: Diagnostic(
                "No devices", suggestions: [Example("hub devices add phone", "add one and show its password")]))
    }

    private static let add = Command(
        "add", summary: "add a device and show its password once",
        discussion: [
            "Set an address first: hub config set hub.dav.listen 192.168.1.20:4843, with this machine's address in your "
                + "network. hub serve serves there.",
            "The device gets all contacts, those of your accounts too, and the tasks of these days. Where it has the "
                + "same account itself, it would show everyone twice. With --each-book it gets the contacts in no book and each "
                + "book by itself; a Mac shows the first of them only.",
        ],
        examples: [
            Example("hub devices add phone", "add a phone; it may read and change contacts and tasks"),
            Example("hub devices add desk --read-only", "add one that may only read"),
            Example("hub devices add watch --only tasks", "add a device that gets no contacts"),
            Example("hub devices add phone --each-book", "add one that sees each book"),
            Example(
                "hub devices add laptop --only notes --only records", "add one that opens notes and sounds as files"),
            Example("hub devices add desktop --hub", "print a line by which the hub of another machine joins this one"),
        ], parameters: [newName, scope, readOnly, eachBook, isHub],
        exclusive: [["hub", "only"], ["hub", "read-only"], ["hub", "each-book"]], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[newName]
        try DeviceSetup.require(name)
        let setup = try DeviceSetup(hub)
        let chosen = input[scope].isEmpty ? [Scope.contacts, .tasks] : input[scope]
        let scopes = DAVCollection.Home.allCases.filter { home in chosen.contains { $0.rawValue == home.rawValue } }
        guard !input[eachBook] || scopes.contains(.contacts) else {
            throw HubError(
                .usage, code: "no-contacts", "--each-book is for devices that get contacts",
                hint: "add --only contacts")
        }
        if input.dryRun { return .done("Would add the device \(name)") }
        if input[isHub] { return try await addHub(name, setup, hub) }
        let password = try await setup.add(
            name, scopes: scopes, isReadOnly: input[readOnly], seesEachBook: input[eachBook])
        let words = scopes.map(\.rawValue)
        let things =
            words.dropLast().isEmpty
            ? words[0] : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
        let verb = input[readOnly] ? "can read \(things) of" : "can sync \(things) with"
        var lines = [
            "\(name) \(verb) this hub, at \(setup.url)",
            "  user      \(name)",
            "  password  \(password)     shown once; hub devices rm \(name) ends it",
        ]
        if let link = setup.link(for: name, password: password) {
            lines += [""] + (try code(of: link)).map { "  \($0)" }
            lines += [
                "  Android: install DAVx5 and scan this code. Others: enter the lines above.",
                "  iPhone, iPad, Mac: hub devices profile \(name)",
            ]
        }
        var output = Output.text(lines)
        if let fingerprint = setup.certificate?.fingerprint {
            output = output.noting(Diagnostic("fingerprint of the certificate (SHA-256): \(fingerprint)"))
        }
        if setup.isAlone {
            output = output.noting(
                .warning(
                    "no other machine reaches \(setup.address)", code: "loopback-only",
                    hint: "hub config set hub.dav.listen 192.168.1.20:4843, with this machine's address in your network"
                ))
        }
        if try Daemon.holder(hub) == nil {
            output = output.noting(.warning("hub serve is not running", code: "not-served", hint: "hub serve"))
        }
        return output
    }

    /// Adds a device that is another hub, and shows the line by which it joins.
    private static func addHub(_ name: String, _ setup: DeviceSetup, _ hub: Hub) async throws -> Output {
        let line = try await setup.addHub(name)
        var output = Output.text([
            "On \(name), within \(DeviceSetup.time) minutes:", "  hub join '\(line)'",
            "The line holds for one machine, which gets all that this one has. hub devices rm \(name) ends it.",
        ])
        if try Daemon.holder(hub) == nil {
            output = output.noting(.warning("hub serve is not running", code: "not-served", hint: "hub serve"))
        }
        return output
    }

    private static let profile = Command(
        "profile", summary: "set up an iPhone, iPad or Mac by a profile of Apple",
        discussion: [
            "The profile has the accounts and a new password; the old one ends when the profile is read. Open the address on the device, "
                + "or send it the file of -o, for example by AirDrop.",
            "With a certificate that hub has made, the device must trust hub: Settings, General, About, Certificate Trust Settings.",
        ],
        examples: [
            Example(
                "hub devices profile phone", "print an address for the phone, valid for ten minutes, and its QR code"),
            Example("hub devices profile mac -o mac.mobileconfig", "write the profile to a file"),
        ], parameters: [name], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[name]
        let store = DeviceStore(try hub.database())
        guard let device = try await store.device(name) else { throw missing(name) }
        guard let address = try DeviceListener.configured(hub) else { throw DeviceSetup.off }
        let certificate = try WebCertificate(hub, for: address, .devices)
        guard let profile = try AppleProfile(hub, at: address, certificate) else {
            throw HubError(
                .config, code: "not-encrypted", "devices of Apple talk to an encrypted server only",
                details: ["\(address) can be reached from this machine only."],
                hint: "hub config set hub.dav.listen 192.168.1.20:4843, or name a proxy that encrypts in hub.dav.names")
        }
        let isFile = input[GlobalOptions.output] != nil
        if input.dryRun {
            if isFile { return .file(try profile.content(for: device, password: DevicePassword.make())) }
            return .done("Would make an address for \(name)")
        }
        let code = try await store.makeCode(for: name, endingAt: hub.clock.now + .seconds(60 * DeviceSetup.time))
        if isFile {
            let password = try await store.setPassword(of: name, by: code)
            var file = Output.file(try profile.content(for: device, password: password))
            file.isSecret = true
            return file
        }
        let port = profile.port == 443 ? "" : ":\(profile.port)"
        let link = "https://\(profile.host)\(port)\(DeviceApp.settingsPath)\(code)"
        var output = Output.text(
            try Self.code(of: link) + [
                link,
                "Open this on \(name) within \(DeviceSetup.time) minutes, then install the profile in its settings.",
            ]
                + (profile.authority == nil
                    ? []
                    : [
                        "Then trust its certificate: Settings, General, About, Certificate Trust Settings; on a Mac, Keychain Access."
                    ]))
        if let fingerprint = certificate?.fingerprint {
            output = output.noting(Diagnostic("fingerprint of the certificate (SHA-256): \(fingerprint)"))
        }
        if try Daemon.holder(hub) == nil {
            output = output.noting(.warning("hub serve is not running", code: "not-served", hint: "hub serve"))
        }
        return output
    }

    private static let remove = Command(
        "rm", summary: "remove a device; its password ends at once",
        discussion: ["What it has changed stays. hub history lists it, and hub undo OPERATION reverts it."],
        examples: [
            Example("hub devices rm phone", "remove the device named phone"),
            Example("hub devices rm phone -n", "only say what would be done"),
        ], parameters: [name],
        changes: true
    ) { (hub: Hub, input: Input) in
        let store = DeviceStore(try hub.database())
        let name = input[name]
        guard try await store.device(name) != nil else { throw missing(name) }
        if input.dryRun { return .done("Would remove the device \(name)") }
        guard
            try await input.confirm(
                "Remove the device \(name)? It needs a new password to come back.",
                consequence: "the device \(name) could no longer use hub")
        else { return .cancelled }
        guard try await store.remove(name) else { throw missing(name) }
        return .done("Removed the device \(name)")
    }

    private static let logFields = [
        Field<LogLine>("at", "WHEN", help: "time of the request") { .instant($0.at) },
        Field<LogLine>("request", "REQUEST", help: "method, path, status, duration and program") { line in
            // The log names the device in each line.
            .text(String(line.message.drop { $0 != " " }.dropFirst()))
        },
    ]

    private static let log = Command(
        "log", summary: "show the requests of a device",
        examples: [
            Example("hub devices log phone", "show the last 100 requests of the phone"),
            Example("hub devices log phone --limit 10", "show the last 10"),
        ],
        parameters: [name, SharedOptions.limit], fields: logFields
    ) { (hub: Hub, input: Input) in
        let name = input[name]
        guard DeviceSetup.isName(name), try await DeviceStore(hub.database()).device(name) != nil else {
            throw missing(name)
        }
        let lines = try await LogSource.file(DeviceLog(hub).path(of: name)).lines(
            since: nil, limit: input[SharedOptions.limit] ?? 100)
        return .list(lines, logFields, empty: Diagnostic("No requests of \(name)"))
    }

    private static let refusedFields = [
        Field<StoredRefusal>("number", "N", help: "number of the entry", align: .trailing) { .integer($0.id) },
        Field<StoredRefusal>("at", "WHEN", help: "time of the request") { .instant($0.at) },
        Field<StoredRefusal>("device", "DEVICE", help: "name of the device") { .text($0.device) },
        Field<StoredRefusal>("item", "ITEM", help: "address of the item") { .text($0.collection + $0.name) },
        Field<StoredRefusal>("reason", "REASON", help: "why it was not stored as sent") { .text($0.reason) },
    ]

    private static let refused = Command(
        "refused", summary: "list what devices sent that was not stored as sent",
        discussion: [
            "Programs drop a change that a server refuses. hub merges what it can, and keeps here what needs a look: "
                + "the whole item as sent. The newest 1,000 are kept."
        ],
        examples: [
            Example("hub devices refused", "list the entries, newest first"),
            Example("hub devices refused --json", "the same for a script"),
        ], parameters: [number], fields: refusedFields
    ) { (hub: Hub, input: Input) in
        let all = try await DeviceStore(hub.database()).refusals()
        guard let number = input[number].first else {
            return .list(all, refusedFields, empty: Diagnostic("Nothing was refused"))
        }
        guard let found = all.first(where: { $0.id == number }) else {
            throw HubError(
                .notFound, code: "not-refused", "no entry \(number)", hint: "hub devices refused lists all entries")
        }
        return .file(found.content)
    }

    private static func missing(_ name: String) -> HubError {
        HubError(
            .notFound, code: "no-device", "no device named \"\(TerminalSanitizer.line(name))\"",
            hint: "hub devices list lists all devices")
    }

    private static func code(of link: String) throws -> [String] {
        do throws(QRCode.Failure) {
            return try QRCode(Array(link.utf8)).halfBlocks
        } catch {
            return ["(no QR code: \(error))"]
        }
    }
}
