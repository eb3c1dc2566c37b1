import Hashing
package import HubKit
package import WebServer

/// The files of the web app that are part of the program: those that all pages share, and those of the plugins' pages.
///
/// Each is served twice: at its plain path, where a browser asks each time whether it has changed, and below `/static/VERSION`,
/// where it may be kept for good. An import map leads the plain paths of modules there, so a module names others as
/// `/assets/page.js` wherever it comes from.
package struct WebAssets: Sendable {
    /// A file with the path of its address.
    package struct Asset: Sendable {
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    /// The files by their paths.
    private let files: [String: Asset]
    /// The hash of all files.
    let version: String
    /// The import map (WHATWG HTML §8.1.6.2) as JSON.
    let importMap: String

    /// Collects the shared files and those of the pages of `descriptors`.
    package init(_ descriptors: [PluginDescriptor] = []) {
        var files: [String: Asset] = [:]
        var all = Self.shared
        for descriptor in descriptors {
            guard let page = descriptor.page else { continue }
            all += page.modules.map { Self.script("/\(descriptor.id)/\($0.name).js", $0.bytes) }
            all += page.styles.map { Self.style("/\(descriptor.id)/\($0.name).css", $0.bytes) }
        }
        all.append(Self.manifest(descriptors.compactMap(\.page)))
        for file in all { files[file.path] = file }
        var hash = FNV1a()
        for file in all {
            for byte in file.path.utf8 { hash.add(byte) }
            for byte in file.bytes { hash.add(byte) }
        }
        for byte in PackageResources.service_worker_js { hash.add(byte) }
        version = String(hash.value, radix: 36)
        let worker = Self.serviceWorker(
            version, files: all.map(\.path).filter { $0 != "/favicon.ico" && $0 != "/manifest.webmanifest" },
            pages: descriptors.filter { $0.page != nil }.map(\.id))
        files[worker.path] = worker
        self.files = files
        let roots = ["assets"] + descriptors.filter { $0.page != nil }.map(\.id)
        let entries = roots.map { [version] in "\"/\($0)/\":\"/static/\(version)/\($0)/\"" }
        importMap = "{\"imports\":{\(entries.joined(separator: ","))}}"
    }

    /// The address of the file at `path` that never changes; the path itself when there is no such file.
    func address(_ path: String) -> String { files[path] == nil ? path : "/static/\(version)\(path)" }

    /// The modules that `entries` lead to by their imports, each once, in the order in which a browser finds them.
    func modules(from entries: [String]) -> [String] {
        var found: [String] = []
        var isKnown: Set<String> = []
        var next = entries
        while !next.isEmpty {
            let known = next.filter { files[$0] != nil && isKnown.insert($0).inserted }
            found += known
            next = known.flatMap { Self.imports(files[$0]?.bytes ?? []) }
        }
        return found
    }

    /// The paths that a module names after `from` and `import`.
    private static func imports(_ module: [UInt8]) -> [String] {
        let pieces = module.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return zip(pieces, pieces.dropFirst()).compactMap { before, path in
            let isImport =
                before.suffix(5).elementsEqual("from ".utf8) || before.suffix(7).elementsEqual("import ".utf8)
            return isImport && path.first == UInt8(ascii: "/") ? String(decoding: path, as: UTF8.self) : nil
        }
    }

    /// `GET` of all files. They hold nothing personal, so a page that asks for a login has them too.
    var routes: [WebRoute] {
        files.values.flatMap { file in
            let tag = EntityTag(of: file.bytes)
            let plain = WebRoute(.get, file.path, access: .everybody) { request, _ in
                .asset(file.bytes, type: file.type, tag: tag, for: request)
            }
            let kept = WebRoute(.get, address(file.path), access: .everybody) { _, _ in
                HTTPResponse(
                    headers: ["Content-Type": file.type, "Cache-Control": "public, max-age=31536000, immutable"],
                    body: .bytes(file.bytes))
            }
            return [plain, kept]
        }
    }

    private static let shared =
        [
            style("/assets/hub.css", PackageResources.hub_css),
            style("/assets/themes.css", PackageResources.themes_css),
            style("/assets/shell.css", PackageResources.shell_css),
            style("/assets/components/components.css", PackageResources.components_css),
            Asset(path: "/assets/components/icons.svg", type: "image/svg+xml", bytes: PackageResources.icons_svg),
            style("/assets/home.css", PackageResources.home_css),
            Asset(path: "/assets/hub.svg", type: "image/svg+xml", bytes: PackageResources.hub_svg),
            Asset(path: "/favicon.ico", type: "image/svg+xml", bytes: PackageResources.hub_svg),
            Asset(path: "/assets/icon-192.png", type: "image/png", bytes: PackageResources.icon_192_png),
            Asset(path: "/assets/icon-512.png", type: "image/png", bytes: PackageResources.icon_512_png),
        ]
        + scripts.map { script("/assets/\($0).js", $1) }
        + components.map { script("/assets/components/\($0).js", $1) }

    /// The modules that pages have in common, one for each subject.
    private static let scripts = [
        ("entity", PackageResources.entity_js),
        ("hub", PackageResources.hub_js),
        ("login", PackageResources.login_js),
        ("push", PackageResources.push_js),
        ("share", PackageResources.share_js),
        ("shell", PackageResources.shell_js),
        ("add", PackageResources.add_js),
        ("search", PackageResources.search_js),
        ("recent", PackageResources.recent_js),
        ("devices", PackageResources.devices_js),
        ("timeline", PackageResources.timeline_js),
        ("today", PackageResources.today_js),
        ("settings", PackageResources.settings_js),
        ("trash", PackageResources.trash_js),
        ("page", PackageResources.page_js),
        ("dialog", PackageResources.dialog_js),
        ("problems", PackageResources.problems_js),
        ("toast", PackageResources.toast_js),
    ]

    /// The service worker, which keeps all files and pages. It is at the root, so that it may answer for all paths.
    private static func serviceWorker(_ version: String, files: [String], pages: [String]) -> Asset {
        func listed(_ paths: [String]) -> String { paths.map { "\"\($0)\"" }.joined(separator: ", ") }
        let text = String(decoding: PackageResources.service_worker_js, as: UTF8.self)
            .replacing("$version", with: version)
            .replacing("\"$files\"", with: listed(files.map { "/static/\(version)\($0)" }))
            .replacing(
                "\"$pages\"", with: listed((["", "settings", "share", "timeline", "trash"] + pages).map { "/\($0)" }))
        return script("/service-worker.js", Array(text.utf8))
    }

    /// The manifest of the installed app: what can be added is in the menu of its icon, what plugins take in the share menu.
    private static func manifest(_ pages: [PageDeclaration]) -> Asset {
        func json(_ name: String, _ path: String) -> String {
            var json = JSONWriter()
            json.object { json in
                json.name("name")
                json.value(name)
                json.name("url")
                json.value(path)
            }
            return json.string
        }
        let shortcuts = pages.flatMap(\.additions).map { addition in
            switch addition.way {
            case .send: json(addition.words, "/?add=\(PercentEncoding.encode(addition.words))")
            case .open(let path): json(addition.words, path)
            }
        }
        let types = pages.flatMap(\.shares).flatMap { target -> [String] in
            if case .files(let types, _) = target.content { types } else { [] }
        }
        let text = String(decoding: PackageResources.manifest_webmanifest, as: UTF8.self)
            .replacing("\"$shortcuts\"", with: shortcuts.joined(separator: ", "))
            .replacing("\"$types\"", with: types.map { "\"\($0)\"" }.joined(separator: ", "))
        return Asset(path: "/manifest.webmanifest", type: "application/manifest+json", bytes: Array(text.utf8))
    }

    private static func script(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, type: "text/javascript; charset=utf-8", bytes: bytes)
    }

    private static func style(_ path: String, _ bytes: [UInt8]) -> Asset {
        Asset(path: path, type: "text/css; charset=utf-8", bytes: bytes)
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
