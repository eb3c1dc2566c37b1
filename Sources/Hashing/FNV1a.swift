/// The hash function FNV-1a of 64 bits: fast for short texts and equal in every process, with no defense against forgery.
public struct FNV1a: Sendable {
    /// The hash of all that was added.
    public var value: UInt64

    /// Begins a hash; different seeds give unrelated hashes of the same bytes.
    @inlinable public init(seed: UInt64 = 0) { value = 0xcbf2_9ce4_8422_2325 ^ seed }

    /// Adds a byte.
    @inlinable public mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// Adds bytes in their order.
    @inlinable public mutating func add(_ bytes: some Sequence<UInt8>) {
        var hash = self
        // A third of the time that the views of a string take.
        let inOne: Void? = bytes.withContiguousStorageIfAvailable { for byte in $0 { hash.add(byte) } }
        if inOne == nil { for byte in bytes { hash.add(byte) } }
        self = hash
    }

    /// Returns the hash of `bytes`.
    @inlinable public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }

    /// The hash as 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The hash function FNV-1a of 128 bits.
public struct FNV1a128: Sendable {
    /// The hash of all that was added.
    public var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Begins a hash.
    @inlinable public init() {}

    /// Adds a byte.
    @inlinable public mutating func add(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }

    /// Returns the hash of `bytes`.
    @inlinable public static func hash(_ bytes: some Sequence<UInt8>) -> UInt128 {
        var hash = FNV1a128()
        for byte in bytes { hash.add(byte) }
        return hash.value
    }
}
