import WebServer

extension HTTPHeaders {
    /// Adds what every answer of the page carries: only its own scripts and styles run, nobody frames it, nothing is
    /// guessed, and no cache keeps it unless the route says so.
    mutating func addSecurity() {
        self["Content-Security-Policy"] =
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        self["X-Content-Type-Options"] = "nosniff"
        self["Referrer-Policy"] = "no-referrer"
        self["Cross-Origin-Opener-Policy"] = "same-origin"
        self["Cross-Origin-Resource-Policy"] = "same-origin"
        if self["Cache-Control"] == nil { self["Cache-Control"] = "no-store" }
    }
}
