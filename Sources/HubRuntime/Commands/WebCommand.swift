import HubKit
import WebServer

/// `hub web`: a link that opens the page and logs this browser in, once.
enum WebCommand {
    private static let page = Arguments<String>("REF", .optional, help: "a plugin, or a thing as plugin:id")

    private static let logout = Flag("logout", help: "end all sessions of the page, and print no link")

    static let command = Command(
        "web", summary: "a link to the web page that logs you in",
        discussion: [
            "The link works once and for ten minutes; the browser stays logged in for seven days."
        ],
        examples: [
            Example("hub web", "a link to the first page"), Example("hub web contacts:7kt", "a link to one contact"),
            Example("hub web --logout", "end all sessions, should a browser be lost"),
        ], prominence: .more, parameters: [page, logout]
    ) { (hub: Hub, input: Input) in
        let address = try WebAddress.configured(hub)
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), clock: hub.clock)
        if input[logout] {
            if input.dryRun { return .done("Would end all sessions of the page") }
            let count = try await access.logOutAll()
            return .done(count == 1 ? "1 session ended" : "\(count) sessions ended")
        }
        let link = WebLogin.link(to: address, code: try await access.makeCode(), page: path(input[page].first))
        let output = Output.text([link])
        if try Daemon.holder(hub) != nil { return output }
        return output.noting(.warning("the page is not served yet", code: "not-served", hint: "hub serve"))
    }

    private static func path(_ reference: String?) -> String {
        guard let reference else { return "/" }
        let parts = reference.split(separator: ":", maxSplits: 1)
        return parts.count == 2
            ? "/\(parts[0])?id=\(PercentEncoding.encode(parts[1]))" : "/\(PercentEncoding.encode(parts[0]))"
    }
}
