/// The messages of Nordic's Secure DFU (nRF5 SDK, DFU protocol): requests to the control point, and its notifications.
package enum DFURequest: Hashable, Sendable {
    /// The kinds of objects that the bootloader receives.
    package enum ObjectKind: UInt8, Sendable {
        /// The init packet.
        case command = 1
        /// A part of the image.
        case data = 2
    }

    case create(ObjectKind, size: Int)
    /// The number of packets after which the bootloader reports; 0 for never.
    case setReceiptInterval(Int)
    case checksum
    case execute
    case select(ObjectKind)

    /// The number of the request.
    package var opcode: UInt8 {
        switch self {
        case .create: 1
        case .setReceiptInterval: 2
        case .checksum: 3
        case .execute: 4
        case .select: 6
        }
    }

    /// The bytes on the wire.
    package var bytes: [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        switch self {
        case .create(let kind, let size): return [opcode, kind.rawValue] + number(size, 4)
        case .setReceiptInterval(let count): return [opcode] + number(count, 2)
        case .checksum, .execute: return [opcode]
        case .select(let kind): return [opcode, kind.rawValue]
        }
    }
}

/// A notification of the control point: the answer to a request.
package struct DFUResponse: Hashable, Sendable {
    /// The request that it answers.
    package let opcode: UInt8
    /// The reason of a refusal; nil for success.
    package let refusal: DFURefusal?
    /// The numbers after the result, each of 32 bits.
    let numbers: [Int]

    /// The answer in a notification; nil for other bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == 0x60 else { return nil }
        opcode = bytes[1]
        refusal =
            bytes[2] == 1
            ? nil : DFURefusal(result: bytes[2], extended: bytes[2] == 0x0B ? bytes.dropFirst(3).first : nil)
        numbers = stride(from: 3, to: bytes.count - 3, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}

/// The reason why the bootloader refused a request.
package struct DFURefusal: Error, Hashable, Sendable {
    /// The result code.
    package let result: UInt8
    /// The extended error code, if there is one.
    package let extended: UInt8?

    package init(result: UInt8, extended: UInt8? = nil) {
        self.result = result
        self.extended = extended
    }

    /// The request comes in a state in which it means nothing.
    package static let notPermitted: UInt8 = 8

    /// The reason in a few words.
    package var reason: String {
        switch (result, extended) {
        case (2, _): "request not supported"
        case (3, _): "invalid parameter"
        case (4, _): "image too large"
        case (5, _): "image or signature not accepted"
        case (7, _): "object not supported"
        case (8, _): "not permitted now"
        case (10, _): "operation failed"
        case (11, 2?), (11, 4?): "init packet not valid"
        case (11, 3?): "unknown command in the init packet"
        case (11, 5?): "firmware version too low"
        case (11, 6?): "firmware for other hardware"
        case (11, 7?): "firmware for another softdevice"
        case (11, 8?): "signature missing"
        case (11, 9?): "unknown kind of hash"
        case (11, 10?): "hash does not match the image"
        case (11, 11?): "unknown kind of signature"
        case (11, 12?): "signature not valid"
        case (11, 13?): "not enough memory"
        default: "error \(result)" + (extended.map { ".\($0)" } ?? "")
        }
    }
}

/// A characteristic of the Secure DFU service, which the recorder's application and its bootloader have.
package enum DFUCharacteristic: String, CaseIterable, Sendable {
    /// Of the application: the way into the bootloader, with indications.
    case buttonless = "8ec90003-f315-4f60-9fb8-838830daea50"
    /// Of the bootloader: requests, and their answers as notifications.
    case controlPoint = "8ec90001-f315-4f60-9fb8-838830daea50"
    /// Of the bootloader: packets, without response.
    case packet = "8ec90002-f315-4f60-9fb8-838830daea50"

    /// The UUID of the service.
    package static let service = "0000fe59-0000-1000-8000-00805f9b34fb"
}

/// The way into the bootloader without a button, while the recorder's application runs.
package enum DFUButtonless {
    /// The request to enter the bootloader.
    package static let request: [UInt8] = [1]

    /// Whether an indication says that the device enters the bootloader; nil for other bytes.
    package static func isAccepted(_ indication: [UInt8]) -> Bool? {
        guard indication.count >= 3, indication[0] == 0x20, indication[1] == 1 else { return nil }
        return indication[2] == 1
    }

    /// Returns the address of the bootloader of the recorder at `address`: one more. Nil for other text.
    package static func bootloaderAddress(of address: String) -> String? {
        let bytes = address.split(separator: ":", omittingEmptySubsequences: false).map { UInt8($0, radix: 16) }
        guard bytes.count == 6, !bytes.contains(nil), let last = bytes[5] else { return nil }
        // Only the last byte counts up, as the SDK does it.
        let digits = String(last &+ 1, radix: 16, uppercase: true)
        return address.prefix(15) + (digits.count == 1 ? "0" : "") + digits
    }
}
