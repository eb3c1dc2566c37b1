import Sync
import XML

/// Writes the properties of files and folders.
struct FilePropertyWriter {
    let request: PropertyRequest
    let isMinimal: Bool
    let isReadOnly: Bool
    let folder: DAVFolder
    let locks: DAVLockTable
    let quota: (used: Int, available: Int)?
    let state: ServedState

    /// The answer for a file.
    func response(_ file: ServedFile, at path: [String]) -> String {
        let href = folder.href(path, isFolder: file.isFolder)
        var (found, missing) = ("", "")
        switch request {
        case .named(let properties):
            for property in properties {
                if let value = value(property.name, file, path) {
                    found += property.tag.around(value)
                } else if !isMinimal {
                    missing += property.tag.around("")
                }
            }
        case .all, .names:
            var isName = false
            if case .names = request { isName = true }
            let own = Self.common.map { DAVName.dav($0) }
            for name in own + file.properties.keys.sorted().compactMap(XMLName.init(key:)) {
                guard let value = value(name, file, path) else { continue }
                found += DAVMarkup.element(name, isName ? "" : value)
            }
        }
        var text = "<d:response>" + DAVMarkup.href(href)
        if !found.isEmpty || missing.isEmpty { text += PropertyWriter.propstat(found, 200) }
        if !missing.isEmpty { text += PropertyWriter.propstat(missing, 404) }
        return text + "</d:response>"
    }

    private static let common = [
        "resourcetype", "displayname", "getetag", "getcontenttype", "getcontentlength", "getlastmodified",
        "creationdate", "supportedlock", "lockdiscovery",
    ]

    /// The properties that no program can set.
    static let protected: Set<String> = Set(
        (common + [
            "current-user-principal", "owner", "principal-collection-set", "current-user-privilege-set",
            "supported-report-set", "quota-available-bytes", "quota-used-bytes", "sync-token",
        ]).map { DAVName.dav($0).key } + [DAVName.server("getctag").key])

    private func value(_ name: XMLName, _ file: ServedFile, _ path: [String]) -> String? {
        if name == DAVName.server("getctag") { return path.isEmpty ? SyncToken(state).text : nil }
        guard name.namespace == DAVName.dav else { return file.properties[name.key] }
        return switch name.local {
        case "resourcetype": file.isFolder ? "<d:collection/>" : ""
        case "displayname": file.isFolder ? DAVMarkup.escaped(path.isEmpty ? folder.home.title : file.name) : nil
        case "getetag": etag(file, path).map { DAVMarkup.escaped("\"\($0)\"") }
        case "getcontenttype": file.isFolder ? nil : DAVMarkup.escaped(file.mediaType)
        case "getcontentlength": file.isFolder ? nil : String(file.length)
        case "getlastmodified": HTTPDate.text(file.changedAt)
        case "creationdate": HTTPDate.timestamp(file.createdAt)
        case "current-user-principal", "owner": DAVMarkup.href("/principals/me/")
        case "principal-collection-set": DAVMarkup.href("/principals/")
        case "current-user-privilege-set": privileges
        case "supportedlock": Self.supportedLock
        case "lockdiscovery":
            locks.covering(DAVPath([folder.home.rawValue] + path)).map(Self.activeLock).joined()
        case "quota-available-bytes": file.isFolder ? quota.map { String($0.available) } : nil
        case "quota-used-bytes": file.isFolder ? quota.map { String($0.used) } : nil
        case "sync-token": path.isEmpty ? SyncToken(state).text : nil
        default: file.properties[name.key]
        }
    }

    /// A folder's etag changes with anything in it, which one client takes for its sync tag.
    private func etag(_ file: ServedFile, _ path: [String]) -> String? {
        if !file.etag.isEmpty { return file.etag }
        return file.isFolder ? "\(state.epoch)-\(state.number)" : nil
    }

    private var privileges: String {
        (isReadOnly
            ? ["read"] : ["read", "write", "write-content", "write-properties", "bind", "unbind"])
            .map { "<d:privilege><d:\($0)/></d:privilege>" }.joined()
    }

    private static let supportedLock = ["exclusive", "shared"].map {
        "<d:lockentry><d:lockscope><d:\($0)/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockentry>"
    }.joined()

    /// The element `activelock`.
    static func activeLock(_ lock: DAVLock) -> String {
        "<d:activelock><d:locktype><d:write/></d:locktype><d:lockscope><d:\(lock.isExclusive ? "exclusive" : "shared")/>"
            + "</d:lockscope><d:depth>\(lock.isDeep ? "infinity" : "0")</d:depth>"
            + (lock.owner.isEmpty ? "" : "<d:owner>\(lock.owner)</d:owner>")
            + "<d:timeout>Second-\(lock.timeout)</d:timeout><d:locktoken>\(DAVMarkup.href(lock.token))</d:locktoken>"
            + "<d:lockroot>\(DAVMarkup.href(lock.path.href(isCollection: false)))</d:lockroot></d:activelock>"
    }
}

extension XMLName {
    /// Reads a name in the form `{namespace}name`.
    init?(key: String) {
        guard key.utf8.first == UInt8(ascii: "{"), let end = key.lastIndex(of: "}") else { return nil }
        self.init(String(key[key.index(after: key.startIndex)..<end]), String(key[key.index(after: end)...]))
    }
}

extension DAVMarkup {
    /// Returns what is in an element as XML: its text, then its children. Comments and the order between the two are not kept.
    static func inner(_ element: XMLElement) -> String {
        escaped(element.text) + element.children.map { self.element($0) }.joined()
    }

    private static func element(_ element: XMLElement) -> String {
        let attributes = element.attributes.filter { $0.key.namespace.isEmpty }.sorted { $0.key.local < $1.key.local }
            .map { " \($0.key.local)=\"\(escaped($0.value, inAttribute: true))\"" }.joined()
        let namespace = escaped(element.name.namespace, inAttribute: true)
        let local = element.name.local
        return element.name.namespace.isEmpty
            ? "<\(local)\(attributes)>\(inner(element))</\(local)>"
            : "<x:\(local) xmlns:x=\"\(namespace)\"\(attributes)>\(inner(element))</x:\(local)>"
    }
}
