import Archive
import HTTPClient
import MarketDomain
import System

/// The client of the European Central Bank: one file with all rates since 1999, as a zip of one CSV table.
struct ReferenceRatesClient: Sendable {
    /// The file with all rates.
    static let address = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip"

    let http: HTTPClient
    let url: HTTPURL
    let deadline: Duration

    /// The file has less than 1 MB, and less than 10 MB unpacked.
    private static let maximumBody = 16 << 20
    private static let limits = ArchiveLimits(fileBytes: 64 << 20, totalBytes: 64 << 20, entries: 10)

    /// Fetches and reads the file, packed or not.
    func fetch() async throws(GatewayError) -> ReferenceRates {
        let response: HTTPResponse
        do {
            response = try await http.send(
                HTTPRequest(
                    .get, url,
                    deadlines: HTTPDeadlines(connect: .seconds(10), idle: deadline, total: deadline),
                    maximumBody: Self.maximumBody))
        } catch { throw GatewayError(error) }
        guard response.status == 200 else { throw .refused(response.status, "no file at \(url)") }
        let table = try Self.table(response.body)
        do throws(ReferenceRates.Issue) { return try ReferenceRates.read(table) } catch {
            throw .malformed("\(error.message) (line \(error.line))")
        }
    }
}

extension ReferenceRatesClient {
    /// The table of a zip archive, or the body itself if it is none.
    private static func table(_ body: [UInt8]) throws(GatewayError) -> [UInt8] {
        guard body.starts(with: [0x50, 0x4B]) else { return body }
        do throws(ArchiveError) {
            guard let entry = try ZipReader.read(body, limits: limits).first(where: { $0.path.hasSuffix(".csv") })
            else {
                throw ArchiveError.broken("it has no table")
            }
            return entry.bytes
        } catch { throw .malformed("the archive cannot be read: \(error)") }
    }
}
