package import NetworkTestSupport
import Synchronization

/// A CardDAV or CalDAV server that answers as a test says, faults and all, and remembers what it was asked.
package final class FaultServer: Sendable {
    /// A scripted response.
    package enum Answer: Sendable {
        case status(Int, headers: [String] = [], body: String = "")
        /// These bytes, and then the end of the connection.
        case raw(String)
        /// These bytes, and then silence.
        case silence(after: String)

        /// A 207 answer with these responses, written with `D`, `C` (cards), `A` (calendars) and `CS` as
        /// prefixes.
        package static func multistatus(_ responses: String) -> Answer {
            .status(
                207, headers: ["Content-Type: application/xml; charset=utf-8"], body: FaultServer.multistatus(responses)
            )
        }

        /// An answer that names the preconditions that were not met.
        package static func error(_ status: Int, _ conditions: String) -> Answer {
            .status(
                status, headers: ["Content-Type: application/xml"],
                body: "<D:error \(namespaces)>\(conditions)</D:error>")
        }
    }

    private static let namespaces = [
        #"xmlns:D="DAV:""#, #"xmlns:C="urn:ietf:params:xml:ns:carddav""#,
        #"xmlns:A="urn:ietf:params:xml:ns:caldav""#, #"xmlns:CS="http://calendarserver.org/ns/""#,
    ].joined(separator: " ")

    private let server: ScriptedServer
    private let record: Record

    private final class Record: Sendable {
        let requests = Mutex<[ScriptedRequest]>([])
    }

    package init(_ script: @escaping @Sendable (ScriptedRequest) -> Answer) throws {
        let record = Record()
        self.record = record
        server = try ScriptedServer { connection in
            while let request = connection.request() {
                record.requests.withLock { $0.append(request) }
                switch script(request) {
                case .status(let status, let headers, let body): connection.answer(status, headers, body)
                case .raw(let text):
                    connection.send(text)
                    return
                case .silence(let text):
                    connection.send(text)
                    connection.waitForEnd()
                }
            }
        }
    }

    /// Its address, without a path.
    package var origin: String { "http://127.0.0.1:\(server.port)" }

    package var port: Int { Int(server.port) }

    /// The number of connections so far.
    package var connectionCount: Int { server.connectionCount }

    /// The requests so far, in order.
    package var requests: [ScriptedRequest] { record.requests.withLock { $0 } }

    /// A multistatus document with these responses.
    package static func multistatus(_ responses: String) -> String {
        "<?xml version=\"1.0\"?>\n<D:multistatus \(namespaces)>\(responses)</D:multistatus>"
    }

    /// One response with properties that are there.
    package static func item(_ href: String, _ properties: String) -> String {
        """
        <D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>\
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
        """
    }

    /// One response for a card with its tag.
    package static func card(_ href: String, _ tag: String) -> String {
        item(href, "<D:getetag>\(tag)</D:getetag>")
    }

    /// One response with a status of its own.
    package static func item(_ href: String, status: Int) -> String {
        "<D:response><D:href>\(href)</D:href><D:status>HTTP/1.1 \(status) X</D:status></D:response>"
    }
}
