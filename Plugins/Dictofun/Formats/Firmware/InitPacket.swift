/// The first file of a firmware image: what the bootloader checks before it takes the image (Nordic's `dfu-cc.proto`).
package struct InitPacket: Hashable, Sendable {
    /// The most bytes of an init packet.
    package static let maximumSize = 4096
    /// The number that the bootloader of Dictofun expects as the hardware's version.
    package static let dictofunHardwareVersion = 52

    /// A packet that cannot be read.
    package struct Malformed: Error, Hashable, Sendable {}

    /// Whether the packet carries a signature; the bootloader takes no other.
    package private(set) var isSigned = false
    /// The version of the firmware, a number that grows with each release.
    package private(set) var firmwareVersion: Int?
    /// The version of the hardware that the image is for.
    package private(set) var hardwareVersion: Int?
    /// The size of the application in bytes.
    package private(set) var applicationSize: Int?
    /// The SHA-256 of the image in its usual order; the packet holds it reversed.
    package private(set) var hash: [UInt8]?

    /// The packet in `bytes`.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= InitPacket.maximumSize else { throw Malformed() }
        var packet = ProtobufReader(bytes[...])
        while let field = try packet.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let command)): try readCommand(command)
            case (2, .bytes(let signed)):
                var reader = ProtobufReader(signed)
                while let field = try reader.next() {
                    if field.number == 1, case .bytes(let command) = field.value { try readCommand(command) }
                    if field.number == 3, case .bytes(let signature) = field.value { isSigned = !signature.isEmpty }
                }
            default: break
            }
        }
        guard hardwareVersion != nil else { throw Malformed() }
    }

    private mutating func readCommand(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var command = ProtobufReader(bytes)
        while let field = try command.next() {
            guard field.number == 2, case .bytes(let initCommand) = field.value else { continue }
            var reader = ProtobufReader(initCommand)
            while let field = try reader.next() {
                switch (field.number, field.value) {
                case (1, .number(let version)): firmwareVersion = Int(clamping: version)
                case (2, .number(let version)): hardwareVersion = Int(clamping: version)
                case (7, .number(let size)): applicationSize = Int(clamping: size)
                case (8, .bytes(let hash)): try readHash(hash)
                default: break
                }
            }
        }
    }

    private mutating func readHash(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            if field.number == 2, case .bytes(let value) = field.value, value.count == 32 { hash = value.reversed() }
        }
    }
}

/// The fields of a message in the binary form of Protocol Buffers.
private struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() throws(InitPacket.Malformed) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let key = try number()
        switch key & 7 {
        case 0: return (key >> 3, .number(try number()))
        case 1: return (key >> 3, try skip(8))
        case 2:
            let count = try number()
            guard count <= rest.count else { throw InitPacket.Malformed() }
            defer { rest = rest.dropFirst(Int(count)) }
            return (key >> 3, .bytes(rest.prefix(Int(count))))
        case 5: return (key >> 3, try skip(4))
        default: throw InitPacket.Malformed()
        }
    }

    private mutating func skip(_ count: Int) throws(InitPacket.Malformed) -> Value {
        guard rest.count >= count else { throw InitPacket.Malformed() }
        rest = rest.dropFirst(count)
        return .fixed
    }

    private mutating func number() throws(InitPacket.Malformed) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw InitPacket.Malformed() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw InitPacket.Malformed()
    }
}
