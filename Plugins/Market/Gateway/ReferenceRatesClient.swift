import Archive
import HTTPClient
package import MarketDomain
import System

/// A file of rates as it was fetched.
package struct FetchedRates: Sendable {
    /// Its rates.
    package let rates: ReferenceRates
    /// Its version; nil if the server names none.
    package let version: RatesVersion?
}

/// The client of the European Central Bank: one file with all rates since 1999, as a zip of one CSV table.
package struct ReferenceRatesClient: Sendable {
    /// The file with all rates.
    package static let address = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip"

    let http: HTTPClient
    let url: HTTPURL
    let deadline: Duration

    /// The file has less than 1 MB, and less than 10 MB unpacked.
    private static let maximumBody = 16 << 20
    private static let limits = ArchiveLimits(fileBytes: 64 << 20, totalBytes: 64 << 20, entries: 10)

    /// Fetches and reads the file, packed or not; nil if it still is the version that is known.
    func fetch(unless known: RatesVersion?) async throws(GatewayError) -> FetchedRates? {
        var headers: HTTPHeaders = ["Accept": "application/zip, text/csv"]
        if let etag = known?.etag { headers.append("If-None-Match", etag) }
        if let modified = known?.modified { headers.append("If-Modified-Since", modified) }
        let response: HTTPResponse
        do {
            response = try await http.send(
                HTTPRequest(
                    .get, url, headers: headers,
                    deadlines: HTTPDeadlines(connect: .seconds(10), idle: deadline, total: deadline),
                    maximumBody: Self.maximumBody))
        } catch { throw GatewayError(error) }
        if response.status == 304, known != nil { return nil }
        guard response.status == 200 else { throw .refused(response.status, "no file at \(url)") }
        let table = try Self.table(response.body)
        do throws(ReferenceRates.Issue) {
            let version = RatesVersion(
                etag: response.headers["ETag"], modified: response.headers["Last-Modified"])
            return FetchedRates(rates: try ReferenceRates.read(table), version: version)
        } catch { throw .malformed("\(error.message) (line \(error.line))") }
    }
}

extension ReferenceRatesClient {
    /// Returns the table of a zip archive, or the bytes themselves if they are none.
    package static func table(_ body: [UInt8]) throws(GatewayError) -> [UInt8] {
        guard body.starts(with: [0x50, 0x4B]) else { return body }
        do throws(ArchiveError) {
            guard let entry = try ZipReader.read(body, limits: limits).first(where: { $0.path.hasSuffix(".csv") })
            else {
                throw ArchiveError.broken("it has no table")
            }
            return entry.bytes
        } catch { throw .malformed("the archive is damaged or has no table") }
    }
}
