import CPostgreSQL
import Glibc

/// Where a database is and how it is reached: a URL of libpq such as `postgres://hub@db1,db2/hub?sslmode=verify-full`.
package struct PostgresAddress: Sendable {
    /// What is set unless the URL says otherwise: a broken network is noticed, and a standby cannot be written to.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "15000"), ("target_session_attrs", "read-write"), ("application_name", "hub"),
    ]

    /// The parameters of libpq, the later ones before the earlier ones.
    let parameters: [(String, String)]
    /// The address without a password, to be shown.
    package let shown: String

    /// Reads a URL, or words such as `host=db dbname=hub`; `password` is used where it names none.
    package init(_ text: String, password: String? = nil) throws(PostgresError) {
        var reason: UnsafePointer<CChar>?
        guard let library = lazy_postgresql_load(&reason)?.pointee else {
            throw .libraryMissing(reason.map { String(cString: $0) } ?? "")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = library.PQconninfoParse(text, &message) else {
            defer { if let message { library.PQfreemem(message) } }
            // The reason of libpq may have parts of the URL.
            let said = message.map { String(cString: $0) } ?? ""
            let isOption = said.contains("invalid URI query parameter")
            throw .invalidAddress(isOption ? "an option is not known" : "libpq cannot read it")
        }
        defer { library.PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.init(values, password)
    }

    private init(_ values: [String: String], _ password: String?) {
        var all = Self.defaults
        if let password { all.append(("password", password)) }
        if values["sslmode"] == "verify-full", values["sslrootcert"] == nil, let file = Self.systemAuthorities {
            all.append(("sslrootcert", file))
        }
        all += values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        all += [("client_encoding", "UTF8")]
        parameters = all
        let host = values["host"] ?? values["hostaddr"] ?? ""
        let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let places = host.split(separator: ",").enumerated().map { index, host in
            let port = index < ports.count ? ports[index] : ports.count == 1 ? ports[0] : ""
            return host.hasPrefix("/") ? "" : port.isEmpty ? String(host) : "\(host):\(port)"
        }
        shown = "postgres://\(places.joined(separator: ","))/\(values["dbname"] ?? "")"
        isLocal =
            host.isEmpty
            || host.split(separator: ",").allSatisfy { part in
                part.hasPrefix("/") || part == "localhost" || part.hasPrefix("127.") || part == "::1"
            }
        isEncrypted = ["require", "verify-ca", "verify-full"].contains(values["sslmode"] ?? "")
    }

    /// The file with the authorities that this system trusts; nil where libpq knows authorities of its own, or without one.
    ///
    /// libpq would take no other than those in `~/.postgresql/root.crt`, and its `sslrootcert=system` is not known to the one of Debian 12.
    private static var systemAuthorities: String? {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        if variable("PGSSLROOTCERT") != nil { return nil }
        if let home = variable("HOME"), access(home + "/.postgresql/root.crt", F_OK) == 0 { return nil }
        let files = [
            variable("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem",
        ]
        return files.compactMap(\.self).first { access($0, R_OK) == 0 }
    }

    /// Whether only this machine is spoken to.
    package let isLocal: Bool
    /// Whether the connection is refused without encryption; the default of libpq is plaintext where the server likes that better.
    package let isEncrypted: Bool
}
