import JSON
import MarketDomain
import Time

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

    /// Reads an array of objects as rows of the market; `field` reads the member with an index of `keys`. What is not an
    /// object, or has no usable id, is dropped and counted.
    static func page(
        _ body: [UInt8], _ keys: JSONKeys, arrival: Instant,
        field: (Int, inout JSONCursor, inout MarketRowBuilder) throws(JSONCursor.Problem) -> Void
    ) throws(GatewayError) -> MarketPage {
        var rows: [MarketRow] = []
        var (sent, dropped, lost) = (0, 0, 0)
        try WireReader.rows(body) { cursor throws(JSONCursor.Problem) in
            sent += 1
            guard try cursor.begin(.object) else {
                dropped += 1
                return
            }
            var builder = MarketRowBuilder()
            while let index = try cursor.nextMember(keys) { try field(index, &cursor, &builder) }
            guard let row = builder.row(arrival: arrival) else {
                dropped += 1
                return
            }
            lost += builder.lostFields
            rows.append(row)
        }
        return MarketPage(rows: rows, sentCount: sent, droppedRows: dropped, lostFields: lost)
    }
}
