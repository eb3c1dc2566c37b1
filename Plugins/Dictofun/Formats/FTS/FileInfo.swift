package import JSON

/// The description of a file on the recorder: a length and JSON of short keys.
package struct FileInfo: Hashable, Sendable {
    /// The most bytes of a description.
    package static let maximumLength = 512
    /// The most bytes of a file; the memory of the device is smaller.
    package static let maximumSize = 1 << 30

    /// The size of the file in bytes.
    package let size: Int
    /// The sample rate in hertz, if it is given.
    package let sampleRate: Int?
    /// The number of the codec, if it is given: 0 for none.
    package let codec: Int?

    /// A description that cannot be used.
    package enum Problem: Error, Equatable, Sendable {
        case tooLong
        case malformed(JSONReader.Problem)
        /// There is no size, or it cannot be one.
        case sizeInvalid
    }

    package init(size: Int, sampleRate: Int? = nil, codec: Int? = nil) {
        self.size = size
        self.sampleRate = sampleRate
        self.codec = codec
    }

    /// The description in the notifications so far; nil while they are incomplete. Unknown keys mean nothing.
    package init?(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.count >= 2 else { return nil }
        let length = Int(bytes[0]) | Int(bytes[1]) << 8
        guard length <= FileInfo.maximumLength, bytes.count <= 2 + length else { throw .tooLong }
        guard bytes.count == 2 + length else { return nil }
        let json: JSONValue
        do throws(JSONReader.Problem) {
            json = try JSONReader.read(bytes[2...], limits: .init(bytes: FileInfo.maximumLength, depth: 4))
        } catch {
            throw .malformed(error)
        }
        guard let size = json["s"]?.integer, (0...FileInfo.maximumSize).contains(size) else { throw .sizeInvalid }
        self.init(size: size, sampleRate: json["f"]?.integer, codec: json["c"]?.integer)
    }
}
