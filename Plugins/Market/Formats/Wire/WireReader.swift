import JSON

/// Reads the bodies of providers: size and depth are bounded, and text that is not JSON is a malformed answer.
enum WireReader {
    /// The maximum size of an answer. 5,000 full rows with a week of hourly prices each are about 20 MB.
    private static let limits = JSONReader.Limits(bytes: 48 << 20, depth: 32)

    static func read<Result>(
        _ body: [UInt8], _ decode: (inout JSONCursor) throws(JSONCursor.Problem) -> Result
    ) throws(GatewayError) -> Result {
        do throws(JSONCursor.Problem) {
            return try JSONCursor.read(body, limits: limits, decode)
        } catch {
            throw .malformed("\(error.kind.reason) at byte \(error.offset)")
        }
    }

    /// Reads a body that must be an array of rows; an object in its place is an error of the provider.
    static func rows(
        _ body: [UInt8], _ decode: (inout JSONCursor) throws(JSONCursor.Problem) -> Void
    ) throws(GatewayError) {
        let isArray = try read(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.array) else { return false }
            while try cursor.nextElement() { try decode(&cursor) }
            return true
        }
        if !isArray { throw ProviderErrorBody.error(status: 200, body: body) }
    }
}
