import HubKit
import Storage

/// What a hub that has joined another says first.
struct MachineHello: Sendable {
    /// The identity of its store.
    var replica: String
    /// The identity of the home's store as this hub knows it.
    var home: String
    /// The token of its last exchange; empty before the first.
    var last: String
    /// The token of this exchange.
    var pending: String
    /// The identities of the stores that it exchanges with besides the home.
    var reach: Set<String>
    /// The message whose answer has not come; nil if there is none.
    var unanswered: SentMessage?

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("replica")
            writer.value(replica)
            writer.name("home")
            writer.value(home)
            writer.name("last")
            writer.value(last)
            writer.name("pending")
            writer.value(pending)
            writer.name("reach")
            writer.array { writer in for id in reach.sorted() { writer.value(id) } }
            if let unanswered {
                writer.name("unanswered")
                writer.value(unanswered.text)
            }
        }
        return writer.bytes
    }
}

/// What the home answers.
struct MachineGreeting: Sendable {
    /// The identity of its store.
    var replica: String
    /// The name of the machine.
    var machine: String
    /// The number of its last change.
    var number: Int
    /// The identities of the stores that it exchanges with besides the one that asks.
    var reach: Set<String> = []
    /// The form of the rows of each kind.
    var forms: [String: String] = [:]
    /// The number of documents of each kind.
    var counts: [String: Int] = [:]
    /// Which documents of the message without an answer it has stored, in their order; nil from an older version of hub, which does not
    /// know.
    var stored: [Bool]?

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("replica")
            writer.value(replica)
            writer.name("machine")
            writer.value(machine)
            writer.name("number")
            writer.value(number)
            writer.name("reach")
            writer.array { writer in for id in reach.sorted() { writer.value(id) } }
            writer.name("forms")
            writer.object { writer in
                for (kind, form) in forms.sorted(by: { $0.key < $1.key }) {
                    writer.name(kind)
                    writer.value(form)
                }
            }
            writer.name("counts")
            writer.object { writer in
                for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
                    writer.name(kind)
                    writer.value(count)
                }
            }
            if let stored {
                writer.name("stored")
                writer.array { writer in for isStored in stored { writer.value(isStored) } }
            }
        }
        return writer.bytes
    }
}

/// A document on its way.
struct CarriedDocument: Sendable {
    var kind: String
    /// The name at the home.
    var name: String
    /// For a change of the home its own hash, empty if it is gone; for one that is sent to the home, the hash of the version that it
    /// replaces there, empty for none.
    var etag: String
    /// The content; nil for a document that is gone, or shall be removed.
    var document: Document?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("kind")
            writer.value(kind)
            writer.name("name")
            writer.value(name)
            writer.name("etag")
            writer.value(etag)
            writer.name("document")
            if let document { writer.number(String(decoding: document.bytes, as: UTF8.self)) } else { writer.null() }
        }
    }

    init(kind: String, name: String, etag: String, document: Document?) {
        (self.kind, self.name, self.etag, self.document) = (kind, name, etag, document)
    }

    init(_ json: JSONValue) throws {
        guard let kind = json["kind"]?.string, let name = json["name"]?.string, let etag = json["etag"]?.string,
            let document = json["document"]
        else { throw MachineMessage.malformed }
        self.init(kind: kind, name: name, etag: etag, document: try document == .null ? nil : Document(json: document))
    }
}

/// Changes of the home.
struct MachineChanges: Sendable {
    var documents: [CarriedDocument]
    /// The number up to which these are all changes.
    var number: Int
    /// Whether there are more.
    var isCut: Bool

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("number")
            writer.value(number)
            writer.name("more")
            writer.value(isCut)
            writer.name("documents")
            writer.array { writer in for document in documents { document.write(to: &writer) } }
        }
        return writer.bytes
    }
}

/// What became of a document that was sent to the home.
enum SendOutcome: Sendable {
    /// It is there, with this hash; empty for one that is gone.
    case stored(String)
    /// The home has another version.
    case changed(CarriedDocument)
    /// The rules of the home do not allow it.
    case refused(String)

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .stored(let etag):
                writer.name("stored")
                writer.value(etag)
            case .changed(let document):
                writer.name("changed")
                document.write(to: &writer)
            case .refused(let reason):
                writer.name("refused")
                writer.value(reason)
            }
        }
    }

    var isStored: Bool { if case .stored = self { true } else { false } }

    init(_ json: JSONValue) throws {
        if let etag = json["stored"]?.string {
            self = .stored(etag)
        } else if let document = json["changed"] {
            self = .changed(try CarriedDocument(document))
        } else if let reason = json["refused"]?.string {
            self = .refused(reason)
        } else {
            throw MachineMessage.malformed
        }
    }
}

/// The outcomes of documents that were sent, in their order.
struct SendAnswer: Sendable {
    var outcomes: [SendOutcome]
    /// The number of the home's last change before, and after.
    var before: Int
    var after: Int

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("before")
            writer.value(before)
            writer.name("after")
            writer.value(after)
            writer.name("outcomes")
            writer.array { writer in for outcome in outcomes { outcome.write(to: &writer) } }
        }
        return writer.bytes
    }
}

/// Reads the messages between hubs.
enum MachineMessage {
    /// The longest message.
    static let limit = 30 << 20

    static let malformed = HubError(
        .unavailable, code: "bad-message", "the other machine sent a message that makes no sense",
        hint: "both machines need the same version of hub")

    /// What the home answers to a message of an exchange that another one has followed.
    static let overtaken = HubError(
        .conflict, code: "overtaken", "this machine has begun another exchange since", hint: "hub sync exchanges again")

    static func json(_ bytes: [UInt8]) throws -> JSONValue {
        do {
            return try JSONReader.read(bytes, limits: JSONReader.Limits(bytes: limit))
        } catch {
            throw malformed
        }
    }

    /// The document of an answer; empty for one that is not there.
    static func document(of answer: (status: Int, body: [UInt8])) throws -> Document {
        guard answer.status == 200 else {
            throw HubError(
                .unavailable, code: "older-hub", "it has an older version of hub",
                hint: "install the same version on both machines")
        }
        return try CarriedDocument(json(answer.body)).document ?? Document()
    }

    static func hello(_ bytes: [UInt8]) throws -> MachineHello {
        let json = try json(bytes)
        guard let replica = json["replica"]?.string, let home = json["home"]?.string, let last = json["last"]?.string,
            let pending = json["pending"]?.string, let reach = json["reach"]?.array, !replica.isEmpty, !pending.isEmpty,
            [replica, home, last, pending].allSatisfy({ $0.utf8.count <= 64 }), reach.count <= 100
        else { throw malformed }
        return MachineHello(
            replica: replica, home: home, last: last, pending: pending, reach: Set(reach.compactMap(\.string)),
            unanswered: json["unanswered"]?.string.flatMap { SentMessage($0) })
    }

    static func greeting(_ bytes: [UInt8]) throws -> MachineGreeting {
        let json = try json(bytes)
        guard let replica = json["replica"]?.string, let machine = json["machine"]?.string,
            let number = json["number"]?.integer
        else { throw malformed }
        var greeting = MachineGreeting(replica: replica, machine: machine, number: number)
        greeting.reach = Set((json["reach"]?.array ?? []).compactMap(\.string))
        if case .object(let members)? = json["forms"] {
            for member in members { greeting.forms[member.name] = member.value.string }
        }
        if case .object(let members)? = json["counts"] {
            for member in members { greeting.counts[member.name] = member.value.integer }
        }
        greeting.stored = json["stored"]?.array.map { $0.map { $0.bool ?? false } }
        return greeting
    }

    static func changes(_ bytes: [UInt8]) throws -> MachineChanges {
        let json = try json(bytes)
        guard let number = json["number"]?.integer, let isCut = json["more"]?.bool, let all = json["documents"]?.array
        else { throw malformed }
        return MachineChanges(documents: try all.map { try CarriedDocument($0) }, number: number, isCut: isCut)
    }

    /// A message of documents; without `message` in the form that older versions of hub understand.
    static func documents(_ documents: [CarriedDocument], in message: SentMessage?) -> [UInt8] {
        func write(_ writer: inout JSONWriter) {
            writer.array { writer in for document in documents { document.write(to: &writer) } }
        }
        var writer = JSONWriter()
        guard let message else {
            write(&writer)
            return writer.bytes
        }
        writer.object { writer in
            writer.name("message")
            writer.value(message.text)
            writer.name("documents")
            write(&writer)
        }
        return writer.bytes
    }

    static func documents(_ bytes: [UInt8]) throws -> (documents: [CarriedDocument], message: SentMessage?) {
        let json = try json(bytes)
        guard let all = json.array ?? json["documents"]?.array else { throw malformed }
        return (try all.map { try CarriedDocument($0) }, json["message"]?.string.flatMap { SentMessage($0) })
    }

    static func answer(_ bytes: [UInt8]) throws -> SendAnswer {
        let json = try json(bytes)
        guard let before = json["before"]?.integer, let after = json["after"]?.integer,
            let all = json["outcomes"]?.array
        else { throw malformed }
        return SendAnswer(outcomes: try all.map { try SendOutcome($0) }, before: before, after: after)
    }

    /// `{"name": value, …}` of texts and numbers.
    static func object(_ members: [(String, String)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members {
                writer.name(name)
                writer.value(value)
            }
        }
        return writer.bytes
    }
}
