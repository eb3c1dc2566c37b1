import Commands
import DBus

/// The desktop's keyring, by the Secret Service API 0.2 of freedesktop.org, for one short exchange.
///
/// hub's entries carry the attribute `application=hub` and the attributes of their kind, so other tools find them
/// too. Secrets are sent over the bus unencrypted ("plain" session): only processes of the same user can listen
/// there.
struct SecretService {
    static let name = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"

    let connection: DBusConnection
    /// The deadline of the whole exchange; a prompt extends it.
    var deadline: ContinuousClock.Instant
    /// The extra time for the exchange when the keyring shows a prompt.
    let promptTime: Duration

    /// The secret of `entry`; nil when the keyring has none.
    mutating func secret(of entry: KeyringEntry) async throws(SecretServiceError) -> [UInt8]? {
        for attributes in entry.attributes {
            guard let item = try await items(attributes).first else { continue }
            let session = try await openSession()
            let reply = try await call("GetSecret", [.objectPath(session)], on: item, "Item")
            // A structure of session, parameters, value and content type.
            guard let secret = reply.first?.elements, secret.count == 4, let value = secret[2].data else {
                throw .malformed("GetSecret")
            }
            return value
        }
        return nil
    }

    /// Makes `entry` hold `secret`.
    mutating func save(_ secret: [UInt8], as entry: KeyringEntry) async throws(SecretServiceError) {
        guard let attributes = entry.attributes.first else { return }
        let collection = try await defaultCollection()
        let session = try await openSession()
        let interface = "org.freedesktop.Secret.Item."
        let properties = DBusValue.properties([
            interface + "Label": .string("hub: \(entry)"),
            interface + "Attributes": .texts(SecretService.attributes(attributes)),
        ])
        let value = DBusValue.structure([
            .objectPath(session), .bytes([]), .bytes(secret), .string("text/plain; charset=utf8"),
        ])
        let reply = try await call("CreateItem", [properties, value, .boolean(true)], on: collection, "Collection")
        guard reply.count == 2, let prompt = reply[1].text else { throw .malformed("CreateItem") }
        _ = try await answerPrompt(prompt)
    }

    /// Removes the items of `entry`; whether there were any.
    mutating func remove(_ entry: KeyringEntry) async throws(SecretServiceError) -> Bool {
        var found = false
        for attributes in entry.attributes {
            for item in try await items(attributes) {
                found = true
                guard let prompt = try await call("Delete", [], on: item, "Item").first?.text else {
                    throw .malformed("Delete")
                }
                _ = try await answerPrompt(prompt)
            }
        }
        return found
    }

    /// Returns the sorted names of the entries that the user named, including locked ones.
    mutating func names() async throws(SecretServiceError) -> [String] {
        let (unlocked, locked) = try await search([:])
        var names: Set<String> = []
        for item in unlocked + locked {
            let arguments: [DBusValue] = [.string("org.freedesktop.Secret.Item"), .string("Attributes")]
            let reply = try await call(
                "Get", arguments, on: item, interface: "org.freedesktop.DBus.Properties")
            for attribute in [KeyringEntry.nameAttribute, KeyringEntry.oldNameAttribute] {
                if let name = reply.first?[attribute]?.text { names.insert(name) }
            }
        }
        return names.sorted()
    }

    private static func attributes(_ more: [String: String]) -> [String: String] {
        more.merging(["application": "hub"]) { $1 }
    }

    /// The unlocked items with these attributes, after unlocking what is locked.
    private mutating func items(_ attributes: [String: String]) async throws(SecretServiceError) -> [String] {
        let (unlocked, locked) = try await search(attributes)
        return locked.isEmpty ? unlocked : unlocked + (try await unlock(locked))
    }

    private func search(
        _ attributes: [String: String]
    ) async throws(SecretServiceError) -> (unlocked: [String], locked: [String]) {
        let reply = try await callService("SearchItems", [.texts(SecretService.attributes(attributes))])
        guard reply.count == 2, let unlocked = reply[0].paths, let locked = reply[1].paths else {
            throw .malformed("SearchItems")
        }
        return (unlocked, locked)
    }

    private mutating func unlock(_ objects: [String]) async throws(SecretServiceError) -> [String] {
        let reply = try await callService("Unlock", [.array(of: .objectPath, objects.map { .objectPath($0) })])
        guard reply.count == 2, let unlocked = reply[0].paths, let prompt = reply[1].text else {
            throw .malformed("Unlock")
        }
        return unlocked + (try await answerPrompt(prompt)?.paths ?? [])
    }

    /// The collection that new entries go to, unlocked.
    private mutating func defaultCollection() async throws(SecretServiceError) -> String {
        guard let collection = try await callService("ReadAlias", [.string("default")]).first?.text,
            collection != "/"
        else { throw .noCollection }
        // Unlocking what is not locked changes nothing.
        guard try await unlock([collection]).contains(collection) else { throw .stayedLocked }
        return collection
    }

    private func openSession() async throws(SecretServiceError) -> String {
        let reply = try await callService("OpenSession", [.string("plain"), .variant(.string(""))])
        guard reply.count == 2, let session = reply[1].text else { throw .malformed("OpenSession") }
        return session
    }

    private func callService(
        _ member: String, _ arguments: [DBusValue]
    ) async throws(SecretServiceError) -> [DBusValue] {
        try await call(member, arguments, on: SecretService.path, "Service")
    }

    func call(
        _ member: String, _ arguments: [DBusValue], on path: String, _ interface: String
    ) async throws(SecretServiceError) -> [DBusValue] {
        try await call(member, arguments, on: path, interface: "org.freedesktop.Secret.\(interface)")
    }

    private func call(
        _ member: String, _ arguments: [DBusValue], on path: String, interface: String
    ) async throws(SecretServiceError) -> [DBusValue] {
        do {
            return try await connection.call(
                SecretService.name, path: path, interface: interface, member: member, arguments,
                timeout: max(deadline - .now, .zero))
        } catch {
            throw .bus(error)
        }
    }
}

extension DBusValue {
    /// The texts of an array of object paths.
    fileprivate var paths: [String]? { elements.map { $0.compactMap(\.text) } }
}

extension KeyringEntry {
    /// The attribute with the name chosen by the user.
    fileprivate static let nameAttribute = "secret"
    /// The attribute that older versions of hub used, for these names and for those of accounts alike.
    fileprivate static let oldNameAttribute = "account"

    /// The attributes by which the entry is found. It is written with the first of them; named entries of an older hub, or
    /// of `secret-tool`, are found by the others.
    fileprivate var attributes: [[String: String]] {
        switch self {
        case .named(let name): [[Self.nameAttribute: name], [Self.oldNameAttribute: name]]
        case .old(let name): [[Self.oldNameAttribute: name]]
        case .account(let plugin, let name, let origin): [["plugin": plugin, "name": name, "origin": origin]]
        }
    }
}

/// An error of the keyring.
enum SecretServiceError: Error, Equatable {
    case bus(DBusError)
    /// The person did not unlock it.
    case stayedLocked
    /// The keyring has no collection for new entries.
    case noCollection
    /// The answer to this call is not what the API says.
    case malformed(String)

    /// Whether the bus failed, and not the exchange over it.
    var isOfBus: Bool { if case .bus = self { true } else { false } }
}

extension SecretServiceError: CustomStringConvertible {
    var description: String {
        switch self {
        case .bus(let error) where error.isServiceMissing: "no keyring service is running"
        case .bus(let error): error.description
        case .stayedLocked: "the keyring is still locked"
        case .noCollection: "the keyring has no default collection"
        case .malformed(let call): "unexpected response of the keyring to \(call)"
        }
    }
}
