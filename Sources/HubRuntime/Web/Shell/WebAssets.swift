package import WebServer

/// The files that all pages share, embedded in the program.
enum WebAssets {
    /// `GET /assets/…`, and the icon that browsers ask for when a page names none.
    static let routes =
        [
            route("/assets/hub.css", "text/css; charset=utf-8", PackageResources.hub_css),
            route("/assets/hub.svg", "image/svg+xml", PackageResources.hub_svg),
            route("/favicon.ico", "image/svg+xml", PackageResources.hub_svg),
            route("/assets/components/components.css", "text/css; charset=utf-8", PackageResources.components_css),
            route("/assets/components/icons.svg", "image/svg+xml", PackageResources.icons_svg),
        ]
        + (scripts + components.map { ("components/\($0)", $1) }).map { name, bytes in
            route("/assets/\(name).js", "text/javascript; charset=utf-8", bytes)
        }

    /// The modules that pages have in common, one for each subject.
    private static let scripts = [
        ("hub", PackageResources.hub_js),
        ("login", PackageResources.login_js),
        ("dom", PackageResources.dom_js),
        ("page", PackageResources.page_js),
        ("dialog", PackageResources.dialog_js),
        ("keys", PackageResources.keys_js),
        ("problems", PackageResources.problems_js),
        ("toast", PackageResources.toast_js),
    ]

    private static func route(_ path: String, _ type: String, _ bytes: [UInt8]) -> WebRoute {
        let tag = EntityTag(of: bytes)
        return WebRoute(.get, path, access: .everybody) { request, _ in
            .asset(bytes, type: type, tag: tag, for: request)
        }
    }
}

extension HTTPResponse {
    /// A file that is part of the program. Browsers keep it, and ask each time whether it is still the same.
    package static func asset(_ bytes: [UInt8], type: String, tag: EntityTag, for request: HTTPRequest) -> HTTPResponse
    {
        let isHeld = request.holds(tag)
        return HTTPResponse(
            status: isHeld ? 304 : 200,
            headers: ["Content-Type": type, "ETag": tag.field, "Cache-Control": "no-cache"],
            body: .bytes(isHeld ? [] : bytes))
    }
}
