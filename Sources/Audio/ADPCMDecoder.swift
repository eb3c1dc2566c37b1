/// A decoder of IMA ADPCM (Intel/DVI, four bits a sample, mono) as one continuous stream, the high nibble of each byte first.
///
/// WAV files pack the nibbles of their IMA format the other way round and in blocks, so this stream must never be labelled as
/// such. Chunks of any size give the samples of the whole: the state between two of them is two numbers.
package struct ADPCMDecoder: Hashable, Sendable {
    /// The value of the last sample, and the start of the next one.
    package private(set) var predictor: Int16
    /// The position in the table of step sizes, 0...88.
    package private(set) var stepIndex: Int

    /// Creates a decoder in the state after some earlier samples; a step index outside 0...88 is limited to it.
    package init(predictor: Int16 = 0, stepIndex: Int = 0) {
        self.predictor = predictor
        self.stepIndex = min(max(stepIndex, 0), ADPCMTable.stepSizes.count - 1)
    }

    /// Returns the samples of the next bytes, two for each.
    package mutating func decode(_ bytes: [UInt8]) -> [Int16] { decode(bytes[...]) }

    /// Returns the samples of the next bytes, two for each.
    package mutating func decode(_ bytes: ArraySlice<UInt8>) -> [Int16] {
        var (value, row) = (Int32(predictor), stepIndex << 6)
        let samples = [Int16](unsafeUninitializedCapacity: bytes.count * 2) { samples, count in
            bytes.withUnsafeBufferPointer { bytes in
                ADPCMTable.differences.withUnsafeBufferPointer { differences in
                    ADPCMTable.nextRows.withUnsafeBufferPointer { nextRows in
                        ADPCMTable.nextRowsOfBytes.withUnsafeBufferPointer { nextRowsOfBytes in
                            // One load leads from byte to byte. Every row of the tables leads to another of their 89 rows.
                            for position in 0..<bytes.count {
                                let byte = Int(bytes[position])
                                let high = row &>> 2 | byte &>> 4
                                let low = Int(nextRows[high]) | byte & 0xF
                                value = min(max(value &+ differences[high], -0x8000), 0x7FFF)
                                samples[position &* 2] = Int16(truncatingIfNeeded: value)
                                value = min(max(value &+ differences[low], -0x8000), 0x7FFF)
                                samples[position &* 2 &+ 1] = Int16(truncatingIfNeeded: value)
                                row = Int(nextRowsOfBytes[row | byte &>> 1 & 0x38 | byte & 7])
                            }
                        }
                    }
                }
            }
            count = bytes.count * 2
        }
        predictor = Int16(truncatingIfNeeded: value)
        stepIndex = row >> 6
        return samples
    }
}

/// What a nibble or a byte does in each of the 89 states.
private enum ADPCMTable {
    /// The step sizes of the format.
    static let stepSizes: [Int32] = [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
        107, 118,
        130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
        1060,
        1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894,
        6484,
        7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
        32767,
    ]

    /// The change of the predictor by a nibble: 16 entries a row.
    static let differences: [Int32] = stepSizes.flatMap { step in
        (0..<16).map { nibble in
            var difference = step >> 3
            if nibble & 4 != 0 { difference += step }
            if nibble & 2 != 0 { difference += step >> 1 }
            if nibble & 1 != 0 { difference += step >> 2 }
            return nibble & 8 != 0 ? -difference : difference
        }
    }

    /// The first entry of the row after a nibble: 16 entries a row.
    static let nextRows: [UInt16] = stepSizes.indices.flatMap { index in
        (0..<16).map { UInt16(next(index, $0) << 4) }
    }

    /// The first entry of the row after both nibbles of a byte, without their signs: 64 entries a row.
    static let nextRowsOfBytes: [UInt16] = stepSizes.indices.flatMap { index in
        (0..<64).map { UInt16(next(next(index, $0 >> 3), $0 & 7) << 6) }
    }

    private static func next(_ index: Int, _ nibble: Int) -> Int {
        let change = nibble & 7 < 4 ? -1 : (nibble & 7) * 2 - 6
        return min(max(index + change, 0), stepSizes.count - 1)
    }
}
