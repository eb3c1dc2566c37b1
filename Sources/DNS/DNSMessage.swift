/// An answer as it came over the wire (RFC 1035 §4), read without trust.
///
/// `ns_parserr` of libresolv is not used: it expands the name of each record through any number of pointers, so a message
/// of names that lead from one to the other costs the square of its length (docs/decisions/0026).
package struct DNSMessage: Hashable, Sendable {
    /// A record's data that this module understands.
    package enum Record: Hashable, Sendable {
        case service(ServiceRecord)
        /// The character strings of a TXT record as text; invalid UTF-8 is repaired.
        case text([String])
    }

    /// The records of the answer section, in order; those of other types are left out.
    package let answers: [Record]

    /// Reads a message; nil when it is malformed.
    package init?(_ bytes: [UInt8]) {
        var reader = DNSMessageReader(bytes)
        guard reader.skip(4), let questions = reader.number(), let count = reader.number(), reader.skip(4) else {
            return nil
        }
        for _ in 0..<questions {
            guard reader.name() != nil, reader.skip(4) else { return nil }
        }
        var answers: [Record] = []
        for _ in 0..<count {
            guard reader.name() != nil, let type = reader.number(), reader.skip(6), let length = reader.number(),
                let end = reader.end(of: length)
            else { return nil }
            switch type {
            case RecordType.service.rawValue:
                guard let priority = reader.number(), let weight = reader.number(), let port = reader.number(),
                    let target = reader.name(), reader.offset == end
                else { return nil }
                answers.append(
                    .service(ServiceRecord(priority: priority, weight: weight, port: port, target: target)))
            case RecordType.text.rawValue:
                guard let strings = reader.strings(until: end) else { return nil }
                answers.append(.text(strings))
            default: reader.move(to: end)
            }
        }
        self.answers = answers
    }
}

/// The record types that are asked for.
enum RecordType: Int {
    case text = 16
    case service = 33
}

/// A place in a message.
struct DNSMessageReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) -> Bool {
        guard bytes.count - offset >= count else { return false }
        offset += count
        return true
    }

    /// Returns the end of `length` bytes from here, if they are all available.
    func end(of length: Int) -> Int? { bytes.count - offset >= length ? offset + length : nil }

    mutating func move(to end: Int) { offset = end }

    /// Two bytes.
    mutating func number() -> Int? {
        guard skip(2) else { return nil }
        return Int(bytes[offset - 2]) << 8 | Int(bytes[offset - 1])
    }

    /// Returns the length-prefixed strings up to `end`.
    mutating func strings(until end: Int) -> [String]? {
        var strings: [String] = []
        while offset < end {
            let length = Int(bytes[offset])
            guard offset + 1 + length <= end else { return nil }
            strings.append(String(decoding: bytes[(offset + 1)...].prefix(length), as: UTF8.self))
            offset += 1 + length
        }
        return strings
    }

    /// A domain name with its labels joined by dots, and no dot at its end. A pointer may only lead backwards, so every
    /// name ends (§4.1.4); a name of at most 127 labels needs no more pointers.
    mutating func name() -> String? {
        var labels: [String] = []
        var (place, total, pointers) = (offset, 0, 0)
        var resume: Int?
        while true {
            guard place < bytes.count else { return nil }
            let length = Int(bytes[place])
            if length == 0 { break }
            if length >= 0xC0 {
                guard place + 1 < bytes.count else { return nil }
                let target = (length & 0x3F) << 8 | Int(bytes[place + 1])
                pointers += 1
                guard target < place, pointers <= 127 else { return nil }
                resume = resume ?? place + 2
                place = target
                continue
            }
            total += length + 1
            guard length < 0x40, total < 255, place + length < bytes.count else { return nil }
            labels.append(String(decoding: bytes[(place + 1)...(place + length)], as: UTF8.self))
            place += length + 1
        }
        offset = resume ?? place + 1
        return labels.joined(separator: ".")
    }
}
