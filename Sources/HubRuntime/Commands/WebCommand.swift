import HubKit
import WebServer

/// `hub web`: a link that opens the page and logs this browser in, once.
enum WebCommand {
    private static let page = Arguments<String>(
        "REF", .optional, help: "a plugin, or a thing as plugin:id", completion: ShowCommand.references)

    static let command = Command(
        "web", summary: "a link to the web page that logs you in",
        discussion: ["The link works once and for ten minutes; the browser stays logged in for thirty days."],
        examples: [
            Example("hub web", "a link to the first page"), Example("hub web contacts:7kt", "a link to one contact"),
        ], prominence: .more, parameters: [page]
    ) { (hub: Hub, input: Input) in
        let address = try WebAddress.configured(hub)
        let path = try await path(input[page].first, hub, input)
        if input.dryRun { return .done("Would print a login link to http://\(address)\(path)") }
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), clock: hub.clock)
        let link = WebLogin.link(to: address, code: try await access.makeCode(), page: path)
        let output = Output.text([link])
        if try Daemon.holder(hub) != nil { return output }
        return output.noting(.warning("the page is not served yet", code: "not-served", hint: "hub serve"))
    }

    private static func path(_ reference: String?, _ hub: Hub, _ input: Input) async throws -> String {
        guard let reference else { return "/" }
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        let plugin = try hub.descriptor(named: parts[0]).id
        guard parts.count == 2 else { return "/\(PercentEncoding.encode(plugin))" }
        return "/\(plugin)?id=\(try await ReferenceResolver(hub, input).id(parts[1], in: plugin))"
    }
}
