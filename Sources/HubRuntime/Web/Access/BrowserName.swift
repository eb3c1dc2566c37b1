/// The name of a browser for people, from its `User-Agent`: `Firefox on Linux`.
///
/// Browsers name their relatives too, so the most specific name is looked for first. It is for display only.
enum BrowserName {
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Mac OS X", "Mac"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Returns the name; `A browser` when it is unknown. Only the first 500 bytes count.
    static func of(_ userAgent: String?) -> String {
        let text = Array((userAgent ?? "").utf8.prefix(500))
        func first(_ names: [(String, String)]) -> String? {
            names.first { mark, _ in contains(text, Array(mark.utf8)) }?.1
        }
        let browser = first(browsers) ?? "A browser"
        return first(systems).map { "\(browser) on \($0)" } ?? browser
    }

    private static func contains(_ text: [UInt8], _ mark: [UInt8]) -> Bool {
        text.count >= mark.count && (0...(text.count - mark.count)).contains { text[$0...].starts(with: mark) }
    }
}
