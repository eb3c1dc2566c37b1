import DNS
import HTTPClient
import SQLite
import WebServer

/// What comes over the network, and what the store keeps.
enum ProtocolFuzzing {
    static func changeset(_ input: [UInt8]) -> String? {
        let changeset = Changeset(bytes: input)
        guard let changes = try? changeset.changes() else { return nil }
        for change in changes {
            for column in 0..<change.table.columnCount { _ = (change.old(column), change.new(column)) }
            _ = change.key
        }
        guard let same = try? changeset.filter({ _ in true }), let again = try? same.changes() else {
            return "a filtered changeset is one"
        }
        return again.count == changes.count ? nil : "a filter that takes all changes keeps all"
    }

    static func dns(_ input: [UInt8]) -> String? {
        _ = DNSMessage(input)
        return nil
    }

    static func requestTarget(_ input: [UInt8]) -> String? {
        guard let target = RequestTarget(String(decoding: input, as: UTF8.self)) else { return nil }
        let path = "/" + target.segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
        let query = target.query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        let text = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
        guard let again = RequestTarget(text), again.segments == target.segments, again.query == target.query else {
            return "a target is read as it was encoded"
        }
        return nil
    }

    static func href(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let base = HTTPURL(host: "dav.example.org", path: "/books/ada/")
        for url in [HTTPURL(text), base.resolving(text)].compactMap(\.self) {
            guard HTTPURL(url.description) == url else { return "an address is read as it was written" }
            guard url.path.hasPrefix("/"), !url.path.split(separator: "/").contains("..") else {
                return "a path has no steps upwards"
            }
            _ = url.comparablePath
        }
        return nil
    }
}
