import Hashing

extension Card {
    /// A hash of the content, independent of order, folding and line ends.
    ///
    /// It ignores properties that programs change by themselves: `UID`, `REV`, `PRODID` and others. It is the sum of
    /// the FNV-1a hashes of the lines, so that their order does not matter; it is not cryptographically secure.
    package var contentHash: UInt128 {
        var sum: UInt128 = 0
        for property in properties {
            switch property.kind {
            case .uid, .revision, .product, .created, .lastModified, .radicaleName, .mergedUID: continue
            case .begin, .end, .version: continue
            case .unreadable where property.value.allSatisfy({ bytes[$0].isBlank }): continue
            default: sum &+= hash(of: property)
            }
        }
        return sum
    }

    /// Returns the hash of one property without its group, as a term of `contentHash`.
    func hash(of property: Property) -> UInt128 {
        var lineHash = FNV1a128()
        if property.flags.contains(.folded) {
            for byte in unfolded(property.name, property) { lineHash.add(byte.uppercasedASCII) }
            for byte in unfolded(property.parameters, property) { lineHash.add(byte) }
            lineHash.add(ASCII.colon)
            for byte in content(property) { lineHash.add(byte) }
        } else {
            for byte in bytes[property.name] { lineHash.add(byte.uppercasedASCII) }
            for byte in bytes[property.parameters.lowerBound..<property.value.upperBound] { lineHash.add(byte) }
        }
        // FNV-1a diffuses the last byte little, so changes of two lines could cancel out in the sum.
        var hash = lineHash.value
        hash = (hash ^ hash >> 67) &* 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835
        hash = (hash ^ hash >> 59) &* 0xD6E8_FEB8_6659_FD93_A076_1D64_78BD_642F
        return hash ^ hash >> 64
    }
}
