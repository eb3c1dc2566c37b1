import JSON
package import MarketDomain
package import Time

/// The errors of providers, in the shapes in which they come, with any status code.
package enum ProviderErrorBody {
    /// The maximum number of characters of a provider's words that are kept.
    private static let maximumLength = 200

    /// Returns the error that an answer stands for.
    ///
    /// A status of 200 with an object where rows were expected is an error too; its own code then decides. A refusal is one of
    /// this request only, such as of a chart that the plan does not cover, unless its code says that the key is missing or wrong.
    package static func error(status: Int, body: [UInt8]) -> GatewayError {
        let (code, text) = content(body)
        switch code {
        // CoinGecko's own codes: no key, or one of another plan.
        case 10_002?, 10_010?, 10_011?: return .unauthorized(text)
        default: break
        }
        let status = status >= 400 ? status : code ?? status
        switch status {
        case 429: return .rateLimited
        case 408: return .timedOut
        case 500...599: return .serverFailed(status)
        // A page of the content network, for people.
        case 403 where code == 1020 || text == pageText: return .blocked(text)
        case 1020: return .blocked(text)
        case 400...499: return .refused(status, text)
        // A plan without this endpoint, or without times that lie so far back.
        case 10_005, 10_012: return .refused(403, text)
        default: return .malformed(text)
        }
    }

    private static let pageText = "an HTML page instead of data"

    private static let limits = JSONReader.Limits(bytes: 1 << 16, depth: 16, isLenient: true)

    /// The code and the words of a body.
    private static func content(_ body: [UInt8]) -> (code: Int?, text: String) {
        guard let json = try? JSONReader.read(body, limits: limits) else {
            let start = String(decoding: body.prefix(4096), as: UTF8.self)
            guard start.drop(while: \.isWhitespace).hasPrefix("<") else {
                return (nil, body.isEmpty ? "empty answer" : "unreadable answer")
            }
            return (start.contains("1020") ? 1020 : nil, pageText)
        }
        // {"status":{…}}, {"error":{"status":{…}}}, {"error":"…"}, and {"data":{"message":"…"}} of a retired API.
        let status = json["status"] ?? json["error"]?["status"] ?? json["error"]
        let code = status?["error_code"]?.integer ?? status?["code"]?.integer
        let text =
            status?["error_message"]?.string ?? status?["message"]?.string ?? json["error"]?.string
            ?? json["message"]?.string ?? json["data"]?["message"]?.string ?? "answer without data"
        return (code, String(TokenLabel.cleaned(text).prefix(maximumLength)))
    }
}

/// The time that a provider asks to wait.
package enum RateLimitHeaders {
    /// Returns the time to wait by `Retry-After` (seconds or a date) or else by `x-ratelimit-reset` (a time, seconds since
    /// 1970, or seconds from now); nil when neither says so, or when they name a time in the past.
    package static func wait(retryAfter: String?, reset: String?, now: Instant) -> Duration? {
        if let retryAfter {
            if let seconds = seconds(retryAfter) {
                if seconds > 0 { return .seconds(min(seconds, 1_000_000_000)) }
            } else if let date = Timestamp.parseHTTPDate(retryAfter), date > now {
                return date - now
            }
        }
        guard let reset else { return nil }
        if let seconds = seconds(reset) {
            let wait = seconds >= leastEpoch ? Instant(milliseconds: Int64(seconds) * 1000) - now : .seconds(seconds)
            return wait > .zero ? wait : nil
        }
        guard let date = Timestamp.parse(reset), date > now else { return nil }
        return date - now
    }

    /// Numbers from here on are seconds since 1970: a wait of 30 years makes no sense.
    private static let leastEpoch = 1_000_000_000

    /// A number of seconds, rounded up.
    private static func seconds(_ text: String) -> Int? {
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined()
        guard let number = Double(trimmed), number.isFinite, trimmed.utf8.allSatisfy({ $0 < 0x3A }) else { return nil }
        return Int(min(max(number.rounded(.up), -1), 1e11))
    }
}
