import DictofunDomain
import HTTPClient
import System

/// The list of firmware releases at the URL that the user has set.
struct FirmwareReleaseList {
    let url: String

    private static let sizeLimit = 4 << 20
    private static let deadlines = HTTPDeadlines(idle: .seconds(30), total: .seconds(120))

    /// Returns the list. Throws `unavailable` when it cannot be had, and `config` for what is not a URL.
    func read() async throws -> [FirmwareRelease] {
        guard let target = HTTPURL(url) else {
            throw HubError(
                .config, code: "firmware-releases-url", "\"\(url)\" is not a URL",
                hint: "hub config set plugins.dictofun.firmware.releases URL")
        }
        var headers = HTTPHeaders()
        headers["Accept"] = "application/json"
        let request = HTTPRequest(
            .get, target, headers: headers, deadlines: Self.deadlines, maximumBody: Self.sizeLimit)
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await HTTPClient(HTTPConfiguration(userAgent: "hub")).send(request)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw Self.unavailable(target.host, "\(error)")
        }
        guard response.isSuccess else { throw Self.unavailable(target.host, "status \(response.status)") }
        do {
            return try FirmwareReleases.read(response.body)
        } catch {
            throw Self.unavailable(target.host, "the answer is not JSON")
        }
    }

    private static func unavailable(_ host: String, _ reason: String) -> HubError {
        HubError(
            .unavailable, code: "firmware-releases-unavailable",
            "the list of firmware releases at \(host) cannot be read", details: [TerminalSanitizer.line(reason)])
    }
}
