extension Card {
    /// A number that is equal for cards with equal content, whatever their order, folding and line ends.
    ///
    /// What programs change without a person's doing is left out: `UID`, `REV`, `PRODID` and their like. It is the sum of
    /// the FNV-1a hashes of the lines, so that their order does not count; it is no defence against forgers.
    package var contentHash: UInt128 {
        var sum: UInt128 = 0
        for property in properties {
            switch property.kind {
            case .uid, .revision, .product, .created, .lastModified, .radicaleName: continue
            case .begin, .end, .version: continue
            case .unreadable where property.value.allSatisfy({ bytes[$0].isBlank }): continue
            default: sum &+= hash(of: property)
            }
        }
        return sum
    }

    private func hash(of property: Property) -> UInt128 {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        func add(_ byte: UInt8) { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B }
        for byte in bytes[property.name] { add(byte.uppercasedASCII) }
        if property.flags.contains(.folded) {
            for byte in unfolded(property.parameters, property) { add(byte) }
            add(ASCII.colon)
            for byte in content(property) { add(byte) }
        } else {
            for byte in bytes[property.parameters.lowerBound..<property.value.upperBound] { add(byte) }
        }
        return hash
    }
}
